public import HTTPTypes

extension HTTPClient {
    /// Fetches a file.
    ///
    /// The bytes go to a part beside the destination (`.NAME.download`, mode 0600) with a small record (`.NAME.download.json`), and get
    /// the file's name when all are there, verified and flushed; a file that was there is replaced. A connection that is lost is
    /// replaced as ``DownloadOptions/retry`` says. Whatever else ends the call, cancellation and kill -9 included, leaves the part
    /// where it can be resumed, and the next call for the same URL and place goes on with it: `Range` with `If-Range`
    /// (RFC 9110, 13.1.5), never by a weak validator, and anew where the file has changed on the server. A part that cannot be resumed, since
    /// the server contradicts itself or the digest is wrong, is deleted. `docs/transfer.md` has the rules.
    ///
    /// - Parameters:
    ///   - request: A `GET`. The fields `Range`, `If-*` and `Accept-Encoding` are the download's own to set.
    ///   - path: Where the file will be. Its folder must be there.
    ///   - options: Time-outs, limits, the digest that is wanted.
    /// - Throws: ``TransportError`` where the connection is to blame, ``TransferError`` for the rest.
    public func download(
        _ request: HTTPRequest, to path: String, options: DownloadOptions = DownloadOptions()
    ) async throws -> DownloadedFile {
        try await download(request, to: path, options: options, over: self)
    }

    /// The same, with requests that `carrier` sends. Time is this client's.
    package func download(
        _ request: HTTPRequest, to path: String, options: DownloadOptions, over carrier: any DownloadCarrier
    ) async throws -> DownloadedFile {
        var driver = try await DownloadDriver(self, carrier, request, to: path, options)
        defer { driver.release() }
        return try await driver.run()
    }
}
