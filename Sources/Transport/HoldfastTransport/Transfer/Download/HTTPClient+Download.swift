public import HTTPTypes

extension HTTPClient {
    /// Downloads a file.
    ///
    /// The bytes are written to a partial file next to the destination (`.NAME.download`, mode 0600), with a small
    /// record (`.NAME.download.json`). When all bytes are received, verified and flushed, the partial file is renamed
    /// to the destination. ``DownloadOptions/replacement-swift.property`` decides whether this replaces another file.
    ///
    /// A lost connection is retried according to ``DownloadOptions/retry``. Any other end of the call, including
    /// cancellation and `kill -9`, leaves the partial file. The next call for the same URL and destination resumes it
    /// with `Range` and `If-Range` (RFC 9110, 13.1.5), never by a weak validator. If the file changed on the server,
    /// the download starts again.
    ///
    /// A partial file that cannot be resumed, because the server contradicts itself or the digest is wrong, is deleted.
    /// See <doc:Transfers> for the rules.
    ///
    /// - Parameters:
    /// - request: A `GET` request. The download sets the fields `Range`, `If-*` and `Accept-Encoding` itself.
    /// - path: The destination of the file. Its folder must exist.
    /// - options: Timeouts, limits and the required digest.
    /// - Throws: ``TransportError`` if the connection failed, and ``TransferError`` for all other failures.
    public func download(
        _ request: HTTPRequest, to path: String, options: DownloadOptions = DownloadOptions()
    ) async throws -> DownloadedFile {
        try await download(request, to: path, options: options, over: self)
    }

    /// Downloads a file with requests that `carrier` sends. Timeouts use this client's clock.
    package func download(
        _ request: HTTPRequest, to path: String, options: DownloadOptions, over carrier: any DownloadCarrier
    ) async throws -> DownloadedFile {
        var driver = try await DownloadDriver(self, carrier, request, to: path, options)
        defer { driver.release() }
        return try await driver.run()
    }
}

/// The options of a download.
public struct DownloadOptions: Sendable {
    /// The files at the destination that a download replaces. Another file there makes the download fail with
    /// ``TransferError/Code-swift.struct/destinationExists``, and remains. The part remains, too.
    public enum Replacement: Hashable, Sendable {
        /// No file. If one exists at the start, nothing is requested.
        case never
        /// A file that exists at the start. A file that another program creates during the download remains.
        case existing
        /// Any file.
        case always
    }

    /// The maximum time without progress in any phase (the chat setting `downloadTimeout`). Thirty seconds by default.
    /// When it expires, the download fails and the received bytes are kept for the next call.
    public var idleTimeout: Duration
    /// The maximum time for the whole download, including retries and the waits between them; `nil` for no limit.
    public var totalTimeout: Duration?
    /// The minimum that the server must send for the download to continue.
    public var minimumProgress: MinimumProgress
    /// The maximum size of the file, in bytes. 4 GiB by default. A larger file fails with
    /// ``TransferError/Code-swift.struct/tooLarge``.
    ///
    /// - Error: `TransferError.Code.tooLarge`
    public var maximumBytes: Int64
    /// The required digest of the file. If `nil`, only the digests that the server announces are verified.
    public var checksum: Checksum?
    /// The policy for redirects. By default they are followed, as by ``HTTPClient``.
    public var redirects: RedirectPolicy
    /// The rules for retrying after a lost connection.
    public var retry: TransferRetry
    /// The files at the destination that the download replaces. By default, a file that exists at the start.
    public var replacement: Replacement
    /// Whether the partial file remains after an error of the server, such as an invalid range, and after
    /// ``TransferError/Code-swift.struct/tooLarge``. A wrong digest always deletes it.
    package var keepsPart = false
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
        replacement: Replacement = .existing, onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        onEvent: (@Sendable (TransferEvent) -> Void)? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.minimumProgress = minimumProgress
        self.maximumBytes = maximumBytes
        self.checksum = checksum
        self.redirects = redirects
        self.retry = retry
        self.replacement = replacement
        self.onProgress = onProgress
        self.onEvent = onEvent
    }
}

/// A downloaded file at its destination.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public var path: String
    /// The size of the file, in bytes.
    public var size: Int64
    /// The number of bytes that an earlier call had received.
    public var resumedAt: Int64
    /// The number of requests that were sent, including those that resumed the download.
    public var attempts: Int
    /// The digests that were verified: the caller's, and those that the server announced.
    public var verified: [Checksum]
    /// The last response.
    public var response: HTTPResponse
    /// The properties of the connection that carried the last response.
    public var facts: ConnectionFacts
}

/// A sender for the requests of a download.
///
/// ``HTTPClient`` conforms. Other conforming types add steps, such as a session that asks its delegate about redirects.
package protocol DownloadCarrier: Sendable {
    /// Sends a request, follows redirects and passes the last response to `handle`. The body is not decompressed.
    nonisolated(nonsending) func carry<R: Sendable>(
        _ request: HTTPRequest, options: RequestOptions,
        handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R
}

extension HTTPClient: DownloadCarrier {
    package nonisolated(nonsending) func carry<R: Sendable>(
        _ request: HTTPRequest, options: RequestOptions,
        handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        try await execute(request, options: options, handle: handle)
    }
}
