/// The answer of a ``TrustContext``: at once, or later where an asynchronous evaluator takes part.
public enum Judgement: Sendable {
    /// Decided.
    case now(TrustVerdict)
    /// An asynchronous evaluator has to be awaited. The closure never throws: a refusal is a verdict.
    case later(@Sendable () async -> TrustVerdict)

    /// The verdict, awaited where need be. It has no time limit of its own: a transport's TLS deadline is one.
    public func verdict() async -> TrustVerdict {
        switch self {
        case .now(let verdict): verdict
        case .later(let decide): await decide()
        }
    }
}
