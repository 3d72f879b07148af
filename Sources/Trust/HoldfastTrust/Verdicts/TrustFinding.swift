/// What an evaluation saw. What follows from it is the ``TrustDecision``.
public struct TrustFinding: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of finding: stable text, safe as a metric label.
    public var code: Code
    /// One sentence for a person, with the facts in it.
    public var reason: String
    /// The facts as values.
    public var facts: TrustFacts

    /// Makes a finding.
    public init(_ code: Code, _ reason: String, facts: TrustFacts = TrustFacts()) {
        self.code = code
        self.reason = reason
        self.facts = facts
    }

    /// Makes a finding about one certificate.
    init(_ code: Code, _ reason: String, about certificate: CertificateView) {
        self.init(code, reason)
        facts.subject = certificate.subject
        facts.issuer = certificate.issuer
    }

    /// Whether this finding speaks for the server: a valid path, a matched pin.
    public var isFavourable: Bool {
        code == .validPath || code == .pinMatched
    }

    /// A textual representation of the value.
    public var description: String { "\(code.rawValue): \(reason)" }
}

/// The facts behind a finding. A field is set where it says something about the finding, and `nil` or empty elsewhere.
public struct TrustFacts: Hashable, Sendable {
    /// The host that was asked for.
    public var host: String?
    /// The names in the server's certificate.
    public var presentedNames: [String] = []
    /// The certificate that the finding is about.
    public var subject: String?
    /// Its issuer.
    public var issuer: String?
    /// Its place in the path or the presented chain, the server's own certificate being 0.
    public var index: Int?
    /// The time of the evaluation.
    public var time: Timestamp?
    /// Start of the validity.
    public var notBefore: Timestamp?
    /// End of the validity.
    public var notAfter: Timestamp?
    /// The pins that would have been accepted.
    public var expectedPins: [Pin] = []
    /// The pin that matched.
    public var matchedPin: Pin?
    /// The SPKI hashes that were compared with the pins, server's own first.
    public var seenHashes: [SPKIDigest] = []
    /// When the certificate was revoked.
    public var revokedAt: Timestamp?
    /// The limit that was reached.
    public var limit: Int?

    /// No facts.
    public init() {}
}
