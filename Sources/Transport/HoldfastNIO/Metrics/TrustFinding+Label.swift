package import HoldfastTrust

extension TrustFinding.Code {
    /// The codes that label a metric or a span. The type is open, and an evaluator of the app's may make up a code.
    package static let labelled: Set<TrustFinding.Code> = [
        .validPath, .pinMatched, .anyCertificateAccepted, .noCertificates, .unreadableLeaf, .tooManyCertificates,
        .tooManyBytes, .unknownIssuer, .badSignature, .noTrustAnchors, .budgetExceeded, .hostMismatch, .expired,
        .notYetValid, .notACertificateAuthority, .pathLengthExceeded, .nameConstraintViolation, .extendedKeyUsage,
        .keyUsage, .revoked, .revocationUnknown, .revocationUnavailable, .stapleNotVisible,
        .unhandledCriticalExtension, .weakSignature, .weakKey, .malformedCertificate, .certificateLimitExceeded,
        .platformRefused, .pinMismatch,
        .deniedKey, .noUsablePins, .notPinned, .policyExpired, .policyStale, .excluded, .policyRequired,
        .pinningDisabled, .pinsBypassed, .evaluatorAccepted, .evaluatorRefused, .evaluationTimedOut, .invalidHost,
        .notInitialized, .invalidConfiguration, .handshakeRefused,
    ]

    /// The code as a label: one of a fixed list, or `other`.
    package var label: String { Self.labelled.contains(self) ? rawValue : "other" }
}
