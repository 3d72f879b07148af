extension TrustFinding {
    /// The stable name of a kind of finding. New kinds may be added, so code that compares with the constants must
    /// handle others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        // MARK: Acceptance

        /// A path to a trust anchor was found, and every check on it passed.
        public static let validPath = Code(rawValue: "validPath")
        /// A pin matched a certificate of the verified path.
        public static let pinMatched = Code(rawValue: "pinMatched")
        /// Trust evaluation was disabled by an explicitly named option.
        public static let anyCertificateAccepted = Code(rawValue: "anyCertificateAccepted")

        // MARK: Presented certificates

        /// The server presented no certificate.
        public static let noCertificates = Code(rawValue: "noCertificates")
        /// The server's own certificate could not be parsed.
        public static let unreadableLeaf = Code(rawValue: "unreadableLeaf")
        /// The server presented more certificates than ``VerificationBudget/presentedCertificates``.
        public static let tooManyCertificates = Code(rawValue: "tooManyCertificates")
        /// The server presented more bytes than ``VerificationBudget/presentedBytes``.
        public static let tooManyBytes = Code(rawValue: "tooManyBytes")

        // MARK: Path building

        /// No path leads from the server's certificate to a trust anchor.
        public static let unknownIssuer = Code(rawValue: "unknownIssuer")
        /// A signature on the path is invalid.
        public static let badSignature = Code(rawValue: "badSignature")
        /// There are no trust anchors.
        public static let noTrustAnchors = Code(rawValue: "noTrustAnchors")
        /// The search reached a limit of ``VerificationBudget`` and stopped.
        public static let budgetExceeded = Code(rawValue: "budgetExceeded")

        // MARK: Path validation

        /// The server's certificate is not valid for the host.
        public static let hostMismatch = Code(rawValue: "hostMismatch")
        /// A certificate has expired.
        public static let expired = Code(rawValue: "expired")
        /// A certificate is not valid yet.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// An issuer on the path is not a certificate authority.
        public static let notACertificateAuthority = Code(rawValue: "notACertificateAuthority")
        /// An issuer's path length constraint is exceeded.
        public static let pathLengthExceeded = Code(rawValue: "pathLengthExceeded")
        /// A name violates a name constraint of an authority, or of the list of trust anchors.
        public static let nameConstraintViolation = Code(rawValue: "nameConstraintViolation")
        /// The path is not valid for a certificate policy that an authority or the caller requires (RFC 5280, 6.1).
        public static let certificatePolicy = Code(rawValue: "certificatePolicy")
        /// The list of trust anchors does not trust the anchor for this server: not for TLS servers, or not for
        /// certificates issued after a date.
        public static let distrustedAnchor = Code(rawValue: "distrustedAnchor")
        /// The extended key usage does not allow TLS servers.
        public static let extendedKeyUsage = Code(rawValue: "extendedKeyUsage")
        /// The key usage does not allow the purpose for which the key is used.
        public static let keyUsage = Code(rawValue: "keyUsage")
        /// A certificate of the path was revoked.
        public static let revoked = Code(rawValue: "revoked")
        /// The revocation status of a certificate of the path is unknown, although the check was requested: a list
        /// cannot be used, or the responder does not know the certificate.
        public static let revocationUnknown = Code(rawValue: "revocationUnknown")
        /// The revocation lists for a certificate of the path cover it only in part: a delta list without the complete
        /// list that it extends, or lists for some revocation reasons only. Such lists never count as "not revoked".
        public static let revocationListIncomplete = Code(rawValue: "revocationListIncomplete")
        /// No usable answer about the revocation of a certificate of the path is available.
        public static let revocationUnavailable = Code(rawValue: "revocationUnavailable")
        /// The revocation of a certificate was not checked, because the certificate is short-lived (CA/Browser Forum,
        /// Baseline Requirements, 1.6.1).
        public static let revocationExempt = Code(rawValue: "revocationExempt")
        /// A verified answer or revocation list reports that a certificate of the path was not revoked. Only reported
        /// on request.
        public static let notRevoked = Code(rawValue: "notRevoked")
        /// The certificate requires a stapled OCSP answer, which the TLS library does not expose.
        public static let stapleNotVisible = Code(rawValue: "stapleNotVisible")
        /// A critical extension is not supported.
        public static let unhandledCriticalExtension = Code(rawValue: "unhandledCriticalExtension")
        /// A signature uses an algorithm that is no longer secure or is not supported.
        public static let weakSignature = Code(rawValue: "weakSignature")
        /// A public key is too weak.
        public static let weakKey = Code(rawValue: "weakKey")
        /// The certificate violates the format rules of RFC 5280 or of the CA/Browser Forum's requirements.
        public static let malformedCertificate = Code(rawValue: "malformedCertificate")
        /// A certificate exceeds the limit of names, name constraints, purposes, policies or extensions.
        public static let certificateLimitExceeded = Code(rawValue: "certificateLimitExceeded")

        // MARK: Certificate transparency

        /// Certificate transparency is required, but no list of logs is configured.
        public static let logListMissing = Code(rawValue: "logListMissing")
        /// The list of logs is older than its age limit.
        public static let logListOutdated = Code(rawValue: "logListOutdated")
        /// The certificate timestamps cannot be read, or exceed a limit.
        public static let sctListMalformed = Code(rawValue: "sctListMalformed")
        /// The certificate has fewer valid timestamps of distinct logs than required.
        public static let sctsMissing = Code(rawValue: "sctsMissing")
        /// No certificate timestamp is of a log that is trusted now.
        public static let sctNoCurrentLog = Code(rawValue: "sctNoCurrentLog")
        /// The certificate timestamps are of fewer log operators than required.
        public static let sctOperators = Code(rawValue: "sctOperators")
        /// All certificate timestamps are of tiled logs, but one of a log with the interface of RFC 6962 is required.
        public static let sctOnlyTiledLogs = Code(rawValue: "sctOnlyTiledLogs")
        /// A certificate timestamp has no valid signature for this certificate and its issuer.
        public static let sctBadSignature = Code(rawValue: "sctBadSignature")
        /// A certificate timestamp is of a log that is not in the list.
        public static let sctUnknownLog = Code(rawValue: "sctUnknownLog")
        /// A certificate timestamp is of a log that was not trusted when it issued the timestamp.
        public static let sctLogNotTrusted = Code(rawValue: "sctLogNotTrusted")
        /// A certificate timestamp is from the future.
        public static let sctFromFuture = Code(rawValue: "sctFromFuture")
        /// A certificate timestamp is a further one of a log that already counts.
        public static let sctRepeatedLog = Code(rawValue: "sctRepeatedLog")
        /// Certificate timestamps with an unknown version were skipped.
        public static let sctUnknownVersion = Code(rawValue: "sctUnknownVersion")
        /// The path ends in a local anchor, for which the policy requires no certificate timestamps.
        public static let transparencyExempt = Code(rawValue: "transparencyExempt")

        /// The platform's verification refused the chain for a reason that has no code of its own.
        public static let platformRefused = Code(rawValue: "platformRefused")

        // MARK: Pins and policy

        /// No pin matches any certificate of the verified path.
        public static let pinMismatch = Code(rawValue: "pinMismatch")
        /// A key on the path is on the deny list.
        public static let deniedKey = Code(rawValue: "deniedKey")
        /// Pinning is enabled, but no configured pin or certificate can be used.
        public static let noUsablePins = Code(rawValue: "noUsablePins")
        /// No pin applies to this host.
        public static let notPinned = Code(rawValue: "notPinned")
        /// The pins for this host have expired.
        public static let policyExpired = Code(rawValue: "policyExpired")
        /// The policy is older than its author intended. It stays in force.
        public static let policyStale = Code(rawValue: "policyStale")
        /// No signed timestamp confirms that the policy is the newest one. It stays in force.
        public static let policyFrozen = Code(rawValue: "policyFrozen")
        /// The policy excludes this host.
        public static let excluded = Code(rawValue: "excluded")
        /// The policy requires a rule for every host, and this host has none.
        public static let policyRequired = Code(rawValue: "policyRequired")

        /// Pinning is disabled for debugging.
        public static let pinningDisabled = Code(rawValue: "pinningDisabled")
        /// The path ends in a local anchor for which the policy disables pins.
        public static let pinsBypassed = Code(rawValue: "pinsBypassed")

        // MARK: Evaluators and configuration

        /// A custom evaluator accepted the server in place of system trust.
        public static let evaluatorAccepted = Code(rawValue: "evaluatorAccepted")
        /// A custom evaluator refused the server.
        public static let evaluatorRefused = Code(rawValue: "evaluatorRefused")
        /// The evaluation did not finish within the TLS deadline.
        public static let evaluationTimedOut = Code(rawValue: "evaluationTimedOut")
        /// The host is not valid.
        public static let invalidHost = Code(rawValue: "invalidHost")
        /// A library was used before it was configured.
        public static let notInitialized = Code(rawValue: "notInitialized")
        /// The configuration is not valid, so every server is refused.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The TLS library refused the handshake before Holdfast received a certificate.
        public static let handshakeRefused = Code(rawValue: "handshakeRefused")
    }
}

extension TrustFinding.Code {
    /// All codes in the order in which findings are reported. If a path has several problems, the first one in this
    /// order becomes the verdict's finding, and the others become notices.
    ///
    /// The order follows the stages of an evaluation. Among the checks of a path, a problem that is independent of time
    /// and host comes first. A test compares the list with the constants.
    package static let ranking: [TrustFinding.Code] = [
        // Configuration and handshake.
        .invalidHost, .notInitialized, .invalidConfiguration, .handshakeRefused, .evaluationTimedOut,
        .noCertificates, .tooManyCertificates, .tooManyBytes, .unreadableLeaf,
        // Path building.
        .noTrustAnchors, .budgetExceeded, .platformRefused, .badSignature, .unknownIssuer,
        // Path validation.
        .malformedCertificate, .certificateLimitExceeded, .weakKey, .weakSignature, .notACertificateAuthority,
        .keyUsage, .unhandledCriticalExtension, .pathLengthExceeded, .nameConstraintViolation, .certificatePolicy,
        .distrustedAnchor, .extendedKeyUsage, .expired, .notYetValid, .hostMismatch,
        .revoked, .revocationUnknown, .revocationListIncomplete, .revocationUnavailable, .stapleNotVisible,
        .revocationExempt, .notRevoked,
        // Policy.
        .deniedKey, .noUsablePins, .pinMismatch, .policyRequired, .evaluatorRefused,
        // Certificate transparency, which is checked after the pins.
        .logListMissing, .logListOutdated, .sctListMalformed, .sctsMissing, .sctNoCurrentLog, .sctOperators,
        .sctOnlyTiledLogs, .sctBadSignature, .sctUnknownLog, .sctLogNotTrusted, .sctFromFuture, .sctRepeatedLog,
        .sctUnknownVersion, .transparencyExempt,
        .policyExpired, .policyStale, .policyFrozen, .pinningDisabled, .pinsBypassed, .excluded, .notPinned,
        // Acceptance.
        .anyCertificateAccepted, .evaluatorAccepted, .pinMatched, .validPath,
    ]

    private static let ranks = Dictionary(uniqueKeysWithValues: ranking.enumerated().map { ($1, $0) })

    /// The position in ``ranking``. A code that an app's own evaluator defines comes last.
    var rank: Int { Self.ranks[self] ?? Self.ranking.count }
}
