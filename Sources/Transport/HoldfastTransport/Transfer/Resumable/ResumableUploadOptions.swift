/// The options of a resumable upload.
public struct ResumableUploadOptions: Sendable {
    /// The behavior with a server that does not support the protocol.
    public enum Fallback: Hashable, Sendable {
        /// Asks the server first (`OPTIONS`). Without support, the upload fails with
        /// ``TransferError/Code-swift.struct/resumptionNotSupported`` before any byte of the file is sent.
        case refuse
        /// Sends the file at once. A server without support receives a plain upload, which cannot be resumed.
        case plain
    }

    /// The maximum time without progress in one request. 120 seconds by default.
    public var idleTimeout: Duration
    /// The maximum time for the whole upload, including retries and waits; `nil` for no limit. 120 seconds by default,
    /// as the chat setting `uploadTimeout`; large files need more.
    public var totalTimeout: Duration?
    /// Whether to wait for a missing network, up to ``totalTimeout``. True by default.
    public var waitsForConnectivity: Bool
    /// The version of the protocol.
    public var version: UploadInteropVersion
    /// The behavior with a server that does not support the protocol.
    public var fallback: Fallback
    /// The maximum number of bytes of the file per request; `nil` for no limit. A limit that the server announces
    /// always applies.
    public var partSize: Int64?
    /// Whether the first request announces the digest of the file (`Repr-Digest`, RFC 9530, SHA-256).
    public var announcesDigest: Bool
    /// The rules for retrying after a lost connection.
    public var retry: TransferRetry
    /// The maximum size of a response body. 64 KiB by default.
    public var maximumAnswerBytes: Int
    /// A closure that is called with the number of bytes written to sockets (``TransferProgress/sent``). The number
    /// decreases if bytes were lost. The closure runs on an event loop, so it must return quickly and must not block.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// A closure that is called with other events, in the task of the upload.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?
    /// A closure that is called with the token for resuming: when the token is first available, and after each
    /// acknowledgement. The upload waits for it to return.
    public var onToken: (@Sendable (ResumeToken) async -> Void)?

    /// Creates options.
    public init(
        idleTimeout: Duration = .seconds(120), totalTimeout: Duration? = .seconds(120),
        waitsForConnectivity: Bool = true, version: UploadInteropVersion = .six, fallback: Fallback = .refuse,
        partSize: Int64? = nil, announcesDigest: Bool = false, retry: TransferRetry = TransferRetry(),
        maximumAnswerBytes: Int = 64 * 1024, onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        onEvent: (@Sendable (TransferEvent) -> Void)? = nil, onToken: (@Sendable (ResumeToken) async -> Void)? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.waitsForConnectivity = waitsForConnectivity
        self.version = version
        self.fallback = fallback
        self.partSize = partSize
        self.announcesDigest = announcesDigest
        self.retry = retry
        self.maximumAnswerBytes = maximumAnswerBytes
        self.onProgress = onProgress
        self.onEvent = onEvent
        self.onToken = onToken
    }
}
