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

    /// Whether this finding speaks for the server: a valid path, a matched pin.
    public var isFavourable: Bool {
        code == .validPath || code == .pinMatched
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
