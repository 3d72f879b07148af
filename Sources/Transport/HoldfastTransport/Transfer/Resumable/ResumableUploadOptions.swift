/// How a file is sent that may take several connections.
public struct ResumableUploadOptions: Sendable {
    /// What to do with a server that does not speak the protocol.
    public enum Fallback: Hashable, Sendable {
        /// The server is asked first (`OPTIONS`), and the upload fails with
        /// ``TransferError/Code-swift.struct/resumptionNotSupported`` before a byte of the file is sent.
        case refuse
        /// The file is sent at once. A server that does not speak the protocol gets a plain upload, which cannot be resumed.
        case plain
    }

    /// The longest time without any progress in one request. 120 seconds by default.
    public var idleTimeout: Duration
    /// The longest time for the whole upload, further attempts and waits included; `nil`: no limit. 120 seconds by default, as
    /// `uploadTimeout` of chat settings has it; large files need more.
    public var totalTimeout: Duration?
    /// Whether an absent network is waited for, no longer than ``totalTimeout``. It is by default.
    public var waitsForConnectivity: Bool
    /// The version of the protocol that is spoken.
    public var version: UploadInteropVersion
    /// What to do with a server that does not speak it.
    public var fallback: Fallback
    /// The most bytes of the file in one request; `nil`: what the server takes. The limit that it announces counts in any case.
    public var partSize: Int64?
    /// Whether the first request announces the digest of the file (`Repr-Digest`, RFC 9530, SHA-256).
    public var announcesDigest: Bool
    /// How the upload goes on by itself after a lost connection.
    public var retry: TransferRetry
    /// The most bytes of an answer. 64 KiB by default.
    public var maximumAnswerBytes: Int
    /// Told how many bytes of the file the sockets have taken (``TransferProgress/sent``). Where some of them were lost it goes back.
    /// Called on an event loop: it must return quickly and not block.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// Told what happens beside that, in the task of the upload.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?
    /// Told the token to go on with, as soon as there is one and whenever the server has acknowledged more. The upload waits for it.
    public var onToken: (@Sendable (ResumeToken) async -> Void)?

    /// Makes options.
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
