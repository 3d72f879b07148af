/// The options of a download.
public struct DownloadOptions: Sendable {
    /// The maximum time without progress in any phase (the chat setting `downloadTimeout`). Thirty seconds by default.
    /// When it expires, the download fails and the received bytes are kept for the next call.
    public var idleTimeout: Duration
    /// The maximum time for the whole download, including retries and the waits between them; `nil` for no limit.
    public var totalTimeout: Duration?
    /// The minimum that the server must send for the download to continue.
    public var minimumProgress: MinimumProgress
    /// The maximum size of the file, in bytes. 4 GiB by default. A larger file fails with
    /// ``TransferError/Code-swift.struct/tooLarge``.
    public var maximumBytes: Int64
    /// The required digest of the file. If `nil`, only the digests that the server announces are verified.
    public var checksum: Checksum?
    /// The policy for redirects. By default they are followed, as by ``HTTPClient``.
    public var redirects: RedirectPolicy
    /// The rules for retrying after a lost connection.
    public var retry: TransferRetry
    /// A closure that is called with the progress of the whole file (``TransferProgress/received``,
    /// ``TransferProgress/toReceive``), including bytes from an earlier call. It runs in the task of the download.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// A closure that is called with other events. It runs in the task of the download.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?

    /// Creates options.
    public init(
        idleTimeout: Duration = .seconds(30), totalTimeout: Duration? = nil,
        minimumProgress: MinimumProgress = MinimumProgress(), maximumBytes: Int64 = 4 << 30,
        checksum: Checksum? = nil, redirects: RedirectPolicy = .follow(), retry: TransferRetry = TransferRetry(),
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        onEvent: (@Sendable (TransferEvent) -> Void)? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.minimumProgress = minimumProgress
        self.maximumBytes = maximumBytes
        self.checksum = checksum
        self.redirects = redirects
        self.retry = retry
        self.onProgress = onProgress
        self.onEvent = onEvent
    }
}
