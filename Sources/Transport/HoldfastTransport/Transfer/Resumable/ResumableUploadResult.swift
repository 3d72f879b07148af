/// How a resumable upload ended.
public struct ResumableUploadResult: Sendable {
    /// The server's answer to the whole upload; `nil` where the connection was lost after the server had all: it says that it has, but
    /// its answer is gone.
    public var answer: CollectedResponse?
    /// How many bytes an earlier call had sent.
    public var resumedAt: Int64
    /// How many connections were needed.
    public var attempts: Int
    /// Whether the server spoke the protocol.
    public var wasResumable: Bool
}
