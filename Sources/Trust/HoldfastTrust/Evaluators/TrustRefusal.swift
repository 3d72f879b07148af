/// A server was refused. The verdict says why.
public struct TrustRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole verdict.
    public var verdict: TrustVerdict

    /// Wraps a verdict.
    public init(_ verdict: TrustVerdict) {
        self.verdict = verdict
    }

    public var description: String { verdict.description }
}
