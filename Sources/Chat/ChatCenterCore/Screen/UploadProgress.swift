/// How far a file of a message is on its way up.
struct UploadProgress: Hashable, Sendable {
    var file: TransferID
    var message: MessageID
    var bytes: Int64
    var total: Int64?

    /// In hundredths: a change of less is not worth drawing.
    var hundredths: Int64? {
        guard let total, total > 0 else { return nil }
        return min(max(bytes, 0), total) / max(1, total / 100)
    }
}
