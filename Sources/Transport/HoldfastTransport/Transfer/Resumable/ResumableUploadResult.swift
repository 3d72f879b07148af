/// The result of a resumable upload.
public struct ResumableUploadResult: Sendable {
    /// The server's final response. `nil` if the connection was lost after the server had all bytes: the server then
    /// confirms the upload, but its response is lost.
    public var answer: CollectedResponse?
    /// The number of bytes that an earlier call had sent.
    public var resumedAt: Int64
    /// The number of connections that were needed.
    public var attempts: Int
    /// Whether the server supported the protocol.
    public var wasResumable: Bool
}
