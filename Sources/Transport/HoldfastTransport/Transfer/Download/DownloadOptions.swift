/// How a file is fetched.
public struct DownloadOptions: Sendable {
    /// The longest time without any progress, over all phases (`downloadTimeout` of chat settings). Thirty seconds by default. Its
    /// end fails the download; what has arrived stays for the next call.
    public var idleTimeout: Duration
    /// The longest time for the whole download, further attempts and the waits between them included; `nil`: no limit.
    public var totalTimeout: Duration?
    /// The least that the server must send for the download to go on.
    public var minimumProgress: MinimumProgress
    /// The most bytes that the file may have. 4 GiB by default. More fails with ``TransferError/Code-swift.struct/tooLarge``.
    public var maximumBytes: Int64
    /// The digest that the file must have; `nil`: what the server announces is checked alone.
    public var checksum: Checksum?
    /// What becomes of redirects. They are followed by default, as ``HTTPClient`` follows them.
    public var redirects: RedirectPolicy
    /// How the download goes on by itself after a lost connection.
    public var retry: TransferRetry
    /// Told how much of the whole file is there (``TransferProgress/received``, ``TransferProgress/toReceive``), what an
    /// earlier call has fetched included. Called in the task of the download.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// Told what happens beside that. Called in the task of the download.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?

    /// Makes options.
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
