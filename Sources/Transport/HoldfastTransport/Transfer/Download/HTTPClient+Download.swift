public import HTTPTypes

extension HTTPClient {
    /// Downloads a file.
    ///
    /// The bytes are written to a partial file next to the destination (`.NAME.download`, mode 0600), with a small
    /// record (`.NAME.download.json`). When all bytes are received, verified and flushed, the partial file is renamed
    /// to the destination and replaces any existing file.
    ///
    /// A lost connection is retried according to ``DownloadOptions/retry``. Any other end of the call, including
    /// cancellation and `kill -9`, leaves the partial file. The next call for the same URL and destination resumes it
    /// with `Range` and `If-Range` (RFC 9110, 13.1.5), never by a weak validator. If the file changed on the server,
    /// the download starts again.
    ///
    /// A partial file that cannot be resumed, because the server contradicts itself or the digest is wrong, is deleted.
    /// See `docs/transfer.md` for the rules.
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
