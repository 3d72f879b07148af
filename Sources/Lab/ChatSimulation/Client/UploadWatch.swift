import ChatCenterCore

/// The upload of a file, all attempts together.
struct UploadWatch {
    let file: String
    let message: MessageID
    let user: String
    /// When the first attempt began; world time.
    let since: Int64
}
