/// What a refused certificate comes down to for a person and for a log line.
public struct TrustFailureSummary: Hashable, Sendable {
    /// The stable code of the finding.
    public var code: String
    /// The finding in words.
    public var reason: String

    /// A finding with its code and its words.
    public init(code: String, reason: String) {
        self.code = code
        self.reason = reason
    }
}
