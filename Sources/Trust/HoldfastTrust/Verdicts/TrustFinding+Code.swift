extension TrustFinding {
    /// The stable name of a kind of finding. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        // MARK: For the server

        /// A path to a trust anchor was found, and every check on it passed.
        public static let validPath = Code(rawValue: "validPath")
        /// A pin matched a certificate of the verified path.
        public static let pinMatched = Code(rawValue: "pinMatched")
        /// Trust was switched off by a loudly named option.
        public static let anyCertificateAccepted = Code(rawValue: "anyCertificateAccepted")

        // MARK: What was presented

        /// The server presented no certificate.
        public static let noCertificates = Code(rawValue: "noCertificates")
        /// The server's own certificate could not be parsed.
        public static let unreadableLeaf = Code(rawValue: "unreadableLeaf")
        /// More certificates than ``VerificationBudget/presentedCertificates``.
        public static let tooManyCertificates = Code(rawValue: "tooManyCertificates")
        /// More bytes than ``VerificationBudget/presentedBytes``.
        public static let tooManyBytes = Code(rawValue: "tooManyBytes")

        // MARK: Path building

        /// No path leads from the server's certificate to a trust anchor.
        public static let unknownIssuer = Code(rawValue: "unknownIssuer")
        /// A signature on the path does not verify.
        public static let badSignature = Code(rawValue: "badSignature")
        /// There are no trust anchors at all.
        public static let noTrustAnchors = Code(rawValue: "noTrustAnchors")
        /// A limit of ``VerificationBudget`` was reached; the search was given up.
        public static let budgetExceeded = Code(rawValue: "budgetExceeded")

        // MARK: Checks on a path

        /// The host is not among the names of the server's certificate.
        public static let hostMismatch = Code(rawValue: "hostMismatch")
        /// A certificate's validity has ended.
        public static let expired = Code(rawValue: "expired")
        /// A certificate's validity has not begun.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// An issuer on the path is no certificate authority.
        public static let notACertificateAuthority = Code(rawValue: "notACertificateAuthority")
        /// An issuer's path length constraint is exceeded.
        public static let pathLengthExceeded = Code(rawValue: "pathLengthExceeded")
        /// A name breaks a name constraint.
        public static let nameConstraintViolation = Code(rawValue: "nameConstraintViolation")
        /// The extended key usage does not allow TLS servers.
        public static let extendedKeyUsage = Code(rawValue: "extendedKeyUsage")
        /// The key usage does not allow what the key is used for.
        public static let keyUsage = Code(rawValue: "keyUsage")
        /// A certificate of the path was revoked.
        public static let revoked = Code(rawValue: "revoked")
        /// Whether a certificate of the path was revoked cannot be told, and it was asked for: a list cannot be relied
        /// on, or the responder does not know the certificate.
        public static let revocationUnknown = Code(rawValue: "revocationUnknown")
        /// There is no answer that can be relied on as to whether a certificate of the path was revoked.
        public static let revocationUnavailable = Code(rawValue: "revocationUnavailable")
        /// The certificate asks for a stapled OCSP answer, which the TLS library does not show.
        public static let stapleNotVisible = Code(rawValue: "stapleNotVisible")
        /// A critical extension is not understood.
        public static let unhandledCriticalExtension = Code(rawValue: "unhandledCriticalExtension")
        /// A signature uses an algorithm that is no longer safe or not supported.
        public static let weakSignature = Code(rawValue: "weakSignature")
        /// A public key is too weak.
        public static let weakKey = Code(rawValue: "weakKey")
        /// The certificate breaks a rule of form of RFC 5280 or the CA/Browser Forum's requirements.
        public static let malformedCertificate = Code(rawValue: "malformedCertificate")
        /// A certificate has more names, name constraints, purposes or extensions than are looked at.
        public static let certificateLimitExceeded = Code(rawValue: "certificateLimitExceeded")

        /// The platform's own verification refused the chain for a reason that has no code here.
        public static let platformRefused = Code(rawValue: "platformRefused")

        // MARK: Pins and policy

        /// No pin matches any certificate of the verified path.
        public static let pinMismatch = Code(rawValue: "pinMismatch")
        /// A key on the path is on the deny list.
        public static let deniedKey = Code(rawValue: "deniedKey")
        /// Pinning is on, but not one of the configured pins or certificates can be used.
        public static let noUsablePins = Code(rawValue: "noUsablePins")
        /// No pin applies to this host.
        public static let notPinned = Code(rawValue: "notPinned")
        /// The pins for this host have expired.
        public static let policyExpired = Code(rawValue: "policyExpired")
        /// The policy is older than its author meant it to be; it stays in force.
        public static let policyStale = Code(rawValue: "policyStale")
        /// The policy excludes this host.
        public static let excluded = Code(rawValue: "excluded")
        /// The policy requires a rule for every host, and there is none for this one.
        public static let policyRequired = Code(rawValue: "policyRequired")

        /// Pinning is switched off for debugging.
        public static let pinningDisabled = Code(rawValue: "pinningDisabled")
        /// The path ends in a local anchor for which the policy switches pins off.
        public static let pinsBypassed = Code(rawValue: "pinsBypassed")

        // MARK: Evaluators and set-up

        /// A custom evaluator accepted the server in the place of system trust.
        public static let evaluatorAccepted = Code(rawValue: "evaluatorAccepted")
        /// A custom evaluator refused the server.
        public static let evaluatorRefused = Code(rawValue: "evaluatorRefused")
        /// The evaluation did not end within the TLS deadline.
        public static let evaluationTimedOut = Code(rawValue: "evaluationTimedOut")
        /// The host cannot be canonicalised.
        public static let invalidHost = Code(rawValue: "invalidHost")
        /// A library that has to be configured first was asked before it was.
        public static let notInitialized = Code(rawValue: "notInitialized")
        /// The configuration cannot be honoured, so nothing is let through.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The TLS library refused the handshake before Holdfast saw a certificate.
        public static let handshakeRefused = Code(rawValue: "handshakeRefused")
    }
}

extension TrustFinding.Code {
    /// Every constant, in the order in which findings are reported. If a path has several problems, the first of them
    /// in this order becomes the verdict's finding and the others become notices.
    ///
    /// The stages of an evaluation come in the order in which they run. Within the checks of a path, a defect that no
    /// time and no host can change comes first. A test compares the list with the constants.
    package static let ranking: [TrustFinding.Code] = [
        // The set-up, and what the handshake delivered.
        .invalidHost, .notInitialized, .invalidConfiguration, .handshakeRefused, .evaluationTimedOut,
        .noCertificates, .tooManyCertificates, .tooManyBytes, .unreadableLeaf,
        // The search for a path.
        .noTrustAnchors, .budgetExceeded, .platformRefused, .badSignature, .unknownIssuer,
        // The checks of a path.
        .malformedCertificate, .certificateLimitExceeded, .weakKey, .weakSignature, .notACertificateAuthority,
        .keyUsage, .unhandledCriticalExtension, .pathLengthExceeded, .nameConstraintViolation, .extendedKeyUsage,
        .expired, .notYetValid, .hostMismatch,
        .revoked, .revocationUnknown, .revocationUnavailable, .stapleNotVisible,
        // The policy.
        .deniedKey, .noUsablePins, .pinMismatch, .policyRequired, .evaluatorRefused,
        .policyExpired, .policyStale, .pinningDisabled, .pinsBypassed, .excluded, .notPinned,
        // What permits a connection.
        .anyCertificateAccepted, .evaluatorAccepted, .pinMatched, .validPath,
    ]

    private static let ranks = Dictionary(uniqueKeysWithValues: ranking.enumerated().map { ($1, $0) })

    /// The place in ``ranking``. A code that an app's own evaluator made up comes last.
    var rank: Int { Self.ranks[self] ?? Self.ranking.count }
}
