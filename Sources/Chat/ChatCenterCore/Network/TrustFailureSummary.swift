/// A short description of a refused certificate, for users and log lines.
public struct TrustFailureSummary: Hashable, Sendable {
    /// The stable code of the finding.
    public var code: String
    /// The description of the finding.
    public var reason: String

    /// Creates a summary with a code and a description.
    public init(code: String, reason: String) {
        self.code = code
        self.reason = reason
    }
}
