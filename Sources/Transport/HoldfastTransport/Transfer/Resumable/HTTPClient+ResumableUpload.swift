public import HTTPTypes

extension HTTPClient {
    /// Sends a file by the protocol of resumable uploads (draft-ietf-httpbis-resumable-upload, in the interop version that the options
    /// name), so that a lost connection, or a restart, does not cost what the server has already.
    ///
    /// The server names a URL for the upload in a `104`, or in its answer. Only a URL of the request's own origin is accepted. After a
    /// lost connection the server is asked how many bytes it has (`HEAD`), and gets the rest (`PATCH`). Before the server has named
    /// the URL nothing can be resumed: a connection that is lost there fails the upload, which may have reached the server.
    ///
    /// - Parameters:
    ///   - request: The request that begins the upload. Its fields go with every later request, too, save those about the body,
    ///     conditions (`If-*`) and `Range`.
    ///   - path: The file. It is read once before it is sent, for its digest, and must not change meanwhile.
    ///   - token: Where an earlier call has come to, as it told ``ResumableUploadOptions/onToken``.
    ///   - options: Time-outs, limits, what to do with other servers.
    /// - Throws: ``TransportError`` where the connection is to blame, ``TransferError`` for the rest: any status but a success is
    ///   ``TransferError/Code-swift.struct/unexpectedStatus``.
    public func uploadResumably(
        _ request: HTTPRequest, from path: String, resuming token: ResumeToken? = nil,
        options: ResumableUploadOptions = ResumableUploadOptions()
    ) async throws -> ResumableUploadResult {
        var driver = try await ResumableUploadDriver(self, request, from: path, token, options)
        return try await driver.run()
    }

    /// Tells the server to forget an upload (`DELETE`). One that it does not know is no error.
    ///
    /// - Parameters:
    ///   - token: Which upload.
    ///   - request: The request that began it: its credentials go along.
    ///   - options: Time-outs.
    /// - Throws: ``TransportError``, or ``TransferError`` where the token is another request's or the server refuses.
    public func cancelUpload(
        _ token: ResumeToken, of request: HTTPRequest, options: RequestOptions = RequestOptions()
    ) async throws {
        let url = try RequestURL(request)
        try token.check(request.method, url)
        var machine = ResumableUploadMachine(url, length: max(0, token.size), version: token.version)
        try machine.resume(at: token.location, acknowledged: token.acknowledged)
        guard let location = machine.location else { return }
        var fields = ResumableUploadDriver.fields(about: request)
        for (text, value) in ResumptionFields(version: token.version).announcing {
            if let name = HTTPField.Name(text) { fields[name] = value }
        }
        let answer = try await collect(location.request(.delete, fields), upTo: 64 * 1024, options: options)
        let code = answer.response.status.code
        guard (200..<300).contains(code) || code == 404 || code == 410 else {
            throw TransferError(
                .unexpectedStatus, "The server answered with \(code).", response: answer.response, body: answer.body)
        }
    }
}
