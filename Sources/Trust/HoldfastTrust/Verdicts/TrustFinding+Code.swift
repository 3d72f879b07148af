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
        ///
        /// - Evidence: `path` of the verdict: the verified certificates with their keys
        /// - Remedy: None: the server was accepted.
        /// - Reference: RFC 5280, 6.1
        public static let validPath = Code(rawValue: "validPath")
        /// A pin matched a certificate of the verified path.
        ///
        /// - Evidence: `matchedPin`; `path` of the verdict
        /// - Remedy: None: the server was accepted.
        /// - Reference: RFC 7469, 2.6
        public static let pinMatched = Code(rawValue: "pinMatched")
        /// Trust evaluation was disabled by an explicitly named option.
        ///
        /// - Evidence: none: nothing was verified
        /// - Remedy: Remove `dangerouslyAcceptAnyCertificate()` or `allowUntrustedSSLCertificate` before a release.
        public static let anyCertificateAccepted = Code(rawValue: "anyCertificateAccepted")

        // MARK: Presented certificates

        /// The server presented no certificate.
        ///
        /// - Evidence: none
        /// - Remedy: Configure the server with its certificate and its intermediate certificates.
        /// - Reference: RFC 8446, 4.4.2
        public static let noCertificates = Code(rawValue: "noCertificates")
        /// The server's own certificate could not be parsed.
        ///
        /// - Evidence: the reason names the defect
        /// - Remedy: Issue a new certificate for the server.
        /// - Reference: RFC 5280, 4.1
        public static let unreadableLeaf = Code(rawValue: "unreadableLeaf")
        /// The server presented more certificates than ``VerificationBudget/presentedCertificates``.
        ///
        /// - Evidence: `limit`
        /// - Remedy: Remove certificates from the server's chain that do not belong to its path.
        /// - Reference: RFC 8446, 4.4.2
        public static let tooManyCertificates = Code(rawValue: "tooManyCertificates")
        /// The server presented more bytes than ``VerificationBudget/presentedBytes``.
        ///
        /// - Evidence: `limit`
        /// - Remedy: Remove certificates from the server's chain, or use smaller ones.
        public static let tooManyBytes = Code(rawValue: "tooManyBytes")

        // MARK: Path building

        /// No path leads from the server's certificate to a trust anchor.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: Configure the server to send its intermediate certificates. If the issuer is a proxy, an antivirus
        ///   product or a company, the network intercepts TLS.
        /// - Reference: RFC 5280, 6.1
        public static let unknownIssuer = Code(rawValue: "unknownIssuer")
        /// A signature on the path is invalid.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: Check the server's chain with OpenSSL: a certificate is damaged, or its issuer has
        ///   another key.
        /// - Reference: RFC 5280, 6.1.3
        public static let badSignature = Code(rawValue: "badSignature")
        /// No trust anchors were found.
        ///
        /// - Evidence: the reason names the searched locations
        /// - Remedy: Install the system's certificates (`ca-certificates`), or set `SSL_CERT_FILE`.
        /// - Reference: RFC 5280, 6.1.1
        public static let noTrustAnchors = Code(rawValue: "noTrustAnchors")
        /// The search reached a limit of ``VerificationBudget`` and stopped.
        ///
        /// - Evidence: `limit`; the reason names what was counted
        /// - Remedy: Shorten the server's chain, and remove cross-certificates that it does not need.
        public static let budgetExceeded = Code(rawValue: "budgetExceeded")

        // MARK: Path validation

        /// The server's certificate is not valid for the host.
        ///
        /// - Evidence: `host`, `presentedNames`, `subject`
        /// - Remedy: Connect to a host that the certificate names, or issue a certificate with this name in the subject
        ///   alternative name.
        /// - Reference: RFC 9525, 6; RFC 5280, 4.2.1.6
        public static let hostMismatch = Code(rawValue: "hostMismatch")
        /// A certificate has expired.
        ///
        /// - Evidence: `notBefore`, `notAfter`, `time`, `subject`, `issuer`
        /// - Remedy: Check the clock of the client. If it is correct, renew the certificate.
        /// - Reference: RFC 5280, 4.1.2.5
        public static let expired = Code(rawValue: "expired")
        /// A certificate is not valid yet.
        ///
        /// - Evidence: `notBefore`, `notAfter`, `time`, `subject`, `issuer`
        /// - Remedy: Check the clock of the client. If it is correct, use the certificate only after `notBefore`.
        /// - Reference: RFC 5280, 4.1.2.5
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// An issuer on the path is not a certificate authority.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: Replace the chain: an ordinary certificate must not issue others. Suspect an attack.
        /// - Reference: RFC 5280, 4.2.1.9
        public static let notACertificateAuthority = Code(rawValue: "notACertificateAuthority")
        /// An issuer's path length constraint is exceeded.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: Use a chain with fewer intermediate authorities.
        /// - Reference: RFC 5280, 4.2.1.9
        public static let pathLengthExceeded = Code(rawValue: "pathLengthExceeded")
        /// A name violates a name constraint of an authority, or of the list of trust anchors.
        ///
        /// - Evidence: `subject`; `issuer`: the authority with the constraint; `index`
        /// - Remedy: Use a certificate of an authority that may issue for this name.
        /// - Reference: RFC 5280, 4.2.1.10
        public static let nameConstraintViolation = Code(rawValue: "nameConstraintViolation")
        /// The path is not valid for a certificate policy that an authority or the caller requires (RFC 5280, 6.1).
        ///
        /// - Evidence: `subject`; `issuer`: the authority that requires the policy, if it is one
        /// - Remedy: Use a certificate with the required policy, or change `certificatePolicies` of the app.
        /// - Reference: RFC 5280, 6.1
        public static let certificatePolicy = Code(rawValue: "certificatePolicy")
        /// The list of trust anchors does not trust the anchor for this server: not for TLS servers, or not for
        /// certificates issued after a date.
        ///
        /// - Evidence: `subject`; `issuer`: the anchor; `notBefore` and `notAfter` for a date
        /// - Remedy: Use a certificate of another authority.
        public static let distrustedAnchor = Code(rawValue: "distrustedAnchor")
        /// The extended key usage does not allow TLS servers.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: Use a certificate with the purpose `serverAuth`.
        /// - Reference: RFC 5280, 4.2.1.12
        public static let extendedKeyUsage = Code(rawValue: "extendedKeyUsage")
        /// The key usage does not allow the purpose for which the key is used.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: Use a certificate whose key usage allows signatures or, for an issuer, `keyCertSign`.
        /// - Reference: RFC 5280, 4.2.1.3
        public static let keyUsage = Code(rawValue: "keyUsage")
        /// A certificate of the path was revoked.
        ///
        /// - Evidence: `revokedAt`, `revocationReason`, `subject`, `issuer`
        /// - Remedy: Replace the certificate and its key. Find out why it was revoked.
        /// - Reference: RFC 5280, 5.3; RFC 6960, 2.2
        public static let revoked = Code(rawValue: "revoked")
        /// The revocation status of a certificate of the path is unknown, although the check was requested: a list
        /// cannot be used, or the responder does not know the certificate.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: Supply a current list, or check the responder. The table “Revocation by answer” of the trust
        ///   matrix lists the cases.
        /// - Reference: RFC 5280, 6.3; RFC 6960, 2.2
        public static let revocationUnknown = Code(rawValue: "revocationUnknown")
        /// The revocation lists for a certificate of the path cover it only in part: a delta list without its complete
        /// list, or lists for some revocation reasons only. Such lists never count as "not revoked".
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: Supply the complete list with the delta list, or the lists for all reasons.
        /// - Reference: RFC 5280, 5.2.4 and 5.2.5
        public static let revocationListIncomplete = Code(rawValue: "revocationListIncomplete")
        /// No usable answer about the revocation of a certificate of the path is available.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate; the reason names the cause
        /// - Remedy: Check that the client reaches the responder or the distribution point. With soft fail, this is
        ///   only a notice.
        /// - Reference: RFC 5280, 6.3.3; RFC 6960, 3.2
        public static let revocationUnavailable = Code(rawValue: "revocationUnavailable")
        /// The revocation of a certificate was not checked, because the certificate is short-lived (CA/Browser Forum,
        /// Baseline Requirements, 1.6.1).
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: None: it is a notice. `exemptsShortLived` turns the exemption off.
        /// - Reference: CA/Browser Forum, Baseline Requirements, 1.6.1
        public static let revocationExempt = Code(rawValue: "revocationExempt")
        /// A verified answer or revocation list reports that a certificate of the path was not revoked. Only reported
        /// on request.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: None: it is a notice.
        /// - Reference: RFC 5280, 6.3; RFC 6960, 2.2
        public static let notRevoked = Code(rawValue: "notRevoked")
        /// The certificate requires a stapled OCSP answer, which the TLS library does not expose.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate
        /// - Remedy: None: it is a notice. Without an OCSP answer, such a certificate is refused even with soft fail.
        /// - Reference: RFC 7633
        public static let stapleNotVisible = Code(rawValue: "stapleNotVisible")
        /// A critical extension is not supported.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate; the reason names the extension
        /// - Remedy: Issue a certificate without this extension, or with a non-critical one.
        /// - Reference: RFC 5280, 4.2
        public static let unhandledCriticalExtension = Code(rawValue: "unhandledCriticalExtension")
        /// A signature uses an algorithm that is no longer secure or is not supported.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate; the reason names the algorithm
        /// - Remedy: Issue a new certificate with SHA-256 or better.
        /// - Reference: RFC 8446, 4.2.3 and 4.4.2.4
        public static let weakSignature = Code(rawValue: "weakSignature")
        /// A public key is too weak.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate; the reason names the key
        /// - Remedy: Issue a new certificate with a key of RSA 2048 bits, P-256 or better.
        public static let weakKey = Code(rawValue: "weakKey")
        /// The certificate violates the format rules of RFC 5280 or of the CA/Browser Forum's requirements.
        ///
        /// - Evidence: `subject` and `issuer` of the certificate; the reason names the rule
        /// - Remedy: Issue a new certificate.
        /// - Reference: RFC 5280, 4.1 and 4.2
        public static let malformedCertificate = Code(rawValue: "malformedCertificate")
        /// A certificate exceeds the limit of names, name constraints, purposes, policies or extensions.
        ///
        /// - Evidence: `limit`, `subject`, `issuer`
        /// - Remedy: Issue a certificate with fewer names, policies or extensions.
        public static let certificateLimitExceeded = Code(rawValue: "certificateLimitExceeded")

        // MARK: Certificate transparency

        /// Certificate transparency is required, but no list of logs is configured.
        ///
        /// - Evidence: none
        /// - Remedy: Supply a list of logs: `TransparencyLogs`, `--log-list`.
        /// - Reference: RFC 6962, 3
        public static let logListMissing = Code(rawValue: "logListMissing")
        /// The list of logs is older than its age limit.
        ///
        /// - Evidence: `notAfter`: the end of the list's use; `time`
        /// - Remedy: Supply a current list of logs, or update the app.
        public static let logListOutdated = Code(rawValue: "logListOutdated")
        /// The certificate timestamps cannot be read, or exceed a limit.
        ///
        /// - Evidence: the reason names the defect
        /// - Remedy: Renew the certificate.
        /// - Reference: RFC 6962, 3.3
        public static let sctListMalformed = Code(rawValue: "sctListMalformed")
        /// The certificate has fewer valid timestamps of distinct logs than required.
        ///
        /// - Evidence: `requiredTimestamps`, `validTimestamps`; the notices say why other timestamps do not count
        /// - Remedy: Use a certificate of a public authority, and check that the list of logs is current.
        /// - Reference: RFC 6962, 3.3 and 5.2
        public static let sctsMissing = Code(rawValue: "sctsMissing")
        /// No certificate timestamp is of a log that is trusted now.
        ///
        /// - Evidence: `requiredTimestamps`, `validTimestamps`
        /// - Remedy: Renew the certificate.
        public static let sctNoCurrentLog = Code(rawValue: "sctNoCurrentLog")
        /// The certificate timestamps are of fewer log operators than required.
        ///
        /// - Evidence: `requiredOperators`, `validOperators`
        /// - Remedy: Renew the certificate with timestamps of more operators.
        public static let sctOperators = Code(rawValue: "sctOperators")
        /// All certificate timestamps are of tiled logs, but one of a log with the interface of RFC 6962 is required.
        ///
        /// - Evidence: `requiredTimestamps`, `validTimestamps`
        /// - Remedy: Renew the certificate with a timestamp of a log of RFC 6962.
        /// - Reference: RFC 6962, 4
        public static let sctOnlyTiledLogs = Code(rawValue: "sctOnlyTiledLogs")
        /// A certificate timestamp has no valid signature for this certificate and its issuer.
        ///
        /// - Evidence: `logID`, `time`
        /// - Remedy: None, if enough other timestamps count: it is a notice. Otherwise renew the certificate.
        /// - Reference: RFC 6962, 3.2
        public static let sctBadSignature = Code(rawValue: "sctBadSignature")
        /// A certificate timestamp is of a log that is not in the list.
        ///
        /// - Evidence: `logID`, `time`
        /// - Remedy: None, if enough other timestamps count: it is a notice. Otherwise update the list of logs.
        public static let sctUnknownLog = Code(rawValue: "sctUnknownLog")
        /// A certificate timestamp is of a log that was not trusted when it issued the timestamp.
        ///
        /// - Evidence: `logID`, `time`
        /// - Remedy: None, if enough other timestamps count: it is a notice. Otherwise renew the certificate.
        public static let sctLogNotTrusted = Code(rawValue: "sctLogNotTrusted")
        /// A certificate timestamp is from the future.
        ///
        /// - Evidence: `logID`, `time`
        /// - Remedy: None, if enough other timestamps count: it is a notice. Otherwise check the clock of the client.
        /// - Reference: RFC 6962, 5.2
        public static let sctFromFuture = Code(rawValue: "sctFromFuture")
        /// A certificate timestamp is a further one of a log that already counts.
        ///
        /// - Evidence: `logID`, `time`
        /// - Remedy: None, if enough other timestamps count: it is a notice. Otherwise renew the certificate with
        ///   timestamps of more logs.
        public static let sctRepeatedLog = Code(rawValue: "sctRepeatedLog")
        /// Certificate timestamps with an unknown version were skipped.
        ///
        /// - Evidence: none
        /// - Remedy: None, if enough other timestamps count: it is a notice.
        /// - Reference: RFC 6962, 3.2
        public static let sctUnknownVersion = Code(rawValue: "sctUnknownVersion")
        /// The path ends in a local anchor, for which the policy requires no certificate timestamps.
        ///
        /// - Evidence: none
        /// - Remedy: None: it is a notice.
        public static let transparencyExempt = Code(rawValue: "transparencyExempt")

        /// The platform's verification refused the chain for a reason that has no code of its own.
        ///
        /// - Evidence: the reason has the platform's text
        /// - Remedy: Read the reason, and compare with the chain that the server presents.
        public static let platformRefused = Code(rawValue: "platformRefused")

        // MARK: Pins and policy

        /// No pin matches any certificate of the verified path.
        ///
        /// - Evidence: `expectedPins`, `seenHashes`
        /// - Remedy: Find out whether the key changed or the network intercepts TLS: see “A refused connection”.
        ///   Deliver a policy with the new key only if the operator confirms it.
        /// - Reference: RFC 7469, 2.6
        public static let pinMismatch = Code(rawValue: "pinMismatch")
        /// A key on the path is on the deny list.
        ///
        /// - Evidence: `subject`, `matchedPin`
        /// - Remedy: Replace the server's key, or use another authority.
        public static let deniedKey = Code(rawValue: "deniedKey")
        /// Pinning is enabled, but no configured pin or certificate can be used.
        ///
        /// - Evidence: the reason has the number of unusable entries
        /// - Remedy: Fix the pins: `holdfast lint policy.json`, or `loadError` of the certificates.
        public static let noUsablePins = Code(rawValue: "noUsablePins")
        /// No pin applies to this host.
        ///
        /// - Evidence: none
        /// - Remedy: None, if the host needs no pins. Otherwise add a rule. If the connection was refused,
        ///   `systemFinding` has the reason.
        public static let notPinned = Code(rawValue: "notPinned")
        /// The pins for this host have expired.
        ///
        /// - Evidence: `notAfter`, `time`
        /// - Remedy: Deliver a policy with a later expiry. If the connection was refused, `systemFinding` has the
        ///   reason.
        public static let policyExpired = Code(rawValue: "policyExpired")
        /// The policy is older than its author intended. It stays in force.
        ///
        /// - Evidence: `notAfter`, `time`
        /// - Remedy: Publish a new bundle, and check that the client reaches it. It is a notice.
        public static let policyStale = Code(rawValue: "policyStale")
        /// No signed timestamp confirms that the policy is the newest one. It stays in force.
        ///
        /// - Evidence: `notAfter`, `time`
        /// - Remedy: Publish a new timestamp, and check that no server or network holds it back. It is a notice.
        public static let policyFrozen = Code(rawValue: "policyFrozen")
        /// The policy excludes this host.
        ///
        /// - Evidence: the reason names the rule
        /// - Remedy: None, if the exclusion is intended. If the connection was refused, `systemFinding` has the reason.
        public static let excluded = Code(rawValue: "excluded")
        /// The policy requires a rule for every host, and this host has none.
        ///
        /// - Evidence: none
        /// - Remedy: Add a rule for the host, or set `unlistedHosts` to `systemTrust`.
        public static let policyRequired = Code(rawValue: "policyRequired")

        /// Pinning is disabled for debugging.
        ///
        /// - Evidence: the reason that the app gave
        /// - Remedy: Enable pinning before a release. If the connection was refused, `systemFinding` has the reason.
        public static let pinningDisabled = Code(rawValue: "pinningDisabled")
        /// The path ends in a local anchor for which the policy disables pins.
        ///
        /// - Evidence: `host`, `seenHashes`
        /// - Remedy: None, if the local anchor is intended. Otherwise remove it from the machine or from the policy.
        public static let pinsBypassed = Code(rawValue: "pinsBypassed")

        // MARK: Evaluators and configuration

        /// A custom evaluator accepted the server in place of system trust.
        ///
        /// - Evidence: none
        /// - Remedy: None: the server was accepted. Check that the evaluator verifies what it replaces.
        public static let evaluatorAccepted = Code(rawValue: "evaluatorAccepted")
        /// A custom evaluator refused the server.
        ///
        /// - Evidence: the reason has the evaluator's error
        /// - Remedy: Check the evaluator or the delegate of the app.
        public static let evaluatorRefused = Code(rawValue: "evaluatorRefused")
        /// The evaluation did not finish within the TLS deadline.
        ///
        /// - Evidence: none
        /// - Remedy: Check asynchronous evaluators and the reachability of responders.
        public static let evaluationTimedOut = Code(rawValue: "evaluationTimedOut")
        /// The host is not valid.
        ///
        /// - Evidence: the reason has the text and its defect
        /// - Remedy: Correct the host in the URL or in the configuration.
        /// - Reference: RFC 1035, 2.3.4; RFC 5890, 2.3
        public static let invalidHost = Code(rawValue: "invalidHost")
        /// A library was used before it was configured.
        ///
        /// - Evidence: none
        /// - Remedy: Configure the library before the first connection, for example with
        ///   `TrustKit.initialize(validating:)`.
        public static let notInitialized = Code(rawValue: "notInitialized")
        /// The configuration is not valid, so every server is refused.
        ///
        /// - Evidence: the reason names the problem
        /// - Remedy: Fix what the reason names.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The TLS library refused the handshake before Holdfast received a certificate.
        ///
        /// - Evidence: `host`; the reason of the TLS library
        /// - Remedy: Check the server's certificate and its versions of TLS: TLS 1.2 or later is required.
        /// - Reference: RFC 8446, 4.4.2
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
