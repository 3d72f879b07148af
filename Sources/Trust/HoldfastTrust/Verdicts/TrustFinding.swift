/// The result of one check in an evaluation. The ``TrustDecision`` states whether the server is accepted.
public struct TrustFinding: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of finding. The text is stable and safe as a metric label.
    public var code: Code
    /// One sentence for people, including the facts.
    public var reason: String
    /// The facts as values.
    public var facts: TrustFacts

    /// Creates a finding.
    public init(_ code: Code, _ reason: String, facts: TrustFacts = TrustFacts()) {
        self.code = code
        self.reason = reason
        self.facts = facts
    }

    /// Creates a finding about one certificate.
    init(_ code: Code, _ reason: String, about certificate: CertificateView) {
        self.init(code, reason)
        facts.subject = certificate.subject
        facts.issuer = certificate.issuer
    }

    /// Whether the finding supports the server: a valid path or a matched pin.
    public var isFavourable: Bool {
        code == .validPath || code == .pinMatched
    }

    /// The code and the reason as text.
    public var description: String { "\(code.rawValue): \(reason)" }
}

/// The facts of a finding. Fields that do not apply to the finding are `nil` or empty.
public struct TrustFacts: Hashable, Sendable {
    /// The host that the client connects to.
    public var host: String?
    /// The names in the server's certificate.
    public var presentedNames: [String] = []
    /// The certificate that the finding is about.
    public var subject: String?
    /// The issuer of that certificate.
    public var issuer: String?
    /// The index of that certificate in the path or in the presented chain. The server's certificate has the index 0.
    public var index: Int?
    /// The time of the evaluation.
    public var time: Timestamp?
    /// The start of the certificate's validity.
    public var notBefore: Timestamp?
    /// The end of the certificate's validity.
    public var notAfter: Timestamp?
    /// The pins that would have been accepted.
    public var expectedPins: [Pin] = []
    /// The pin that matched.
    public var matchedPin: Pin?
    /// The SPKI hashes that were compared with the pins, the server's hash first.
    public var seenHashes: [SPKIDigest] = []
    /// The time at which the certificate was revoked.
    public var revokedAt: Timestamp?
    /// The reason for the revocation, if the authority stated one.
    public var revocationReason: RevocationReason?
    /// The limit that was reached.
    public var limit: Int?
    /// The certificate transparency log that the finding is about.
    public var logID: TransparencyLogID?
    /// The number of certificate timestamps that the policy requires.
    public var requiredTimestamps: Int?
    /// The number of valid certificate timestamps of distinct logs.
    public var validTimestamps: Int?
    /// The number of log operators that the policy requires.
    public var requiredOperators: Int?
    /// The number of distinct operators of the valid certificate timestamps.
    public var validOperators: Int?

    /// Creates facts with no field set.
    public init() {}
}
