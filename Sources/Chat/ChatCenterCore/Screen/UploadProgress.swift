/// The progress of uploading a message's file.
struct UploadProgress: Hashable, Sendable {
    var file: TransferID
    var message: MessageID
    var bytes: Int64
    var total: Int64?

    /// The progress in hundredths. Smaller changes are not drawn.
    var hundredths: Int64? {
        guard let total, total > 0 else { return nil }
        return min(max(bytes, 0), total) / max(1, total / 100)
    }
}
