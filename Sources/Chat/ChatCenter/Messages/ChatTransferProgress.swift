/// How far a file has come.
public struct ChatTransferProgress: Hashable, Sendable {
    /// Bytes so far.
    public var completed: Int64
    /// Bytes in all, where that is known.
    public var total: Int64?

    /// From 0 to 1; `nil` while the total is not known.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }
}
