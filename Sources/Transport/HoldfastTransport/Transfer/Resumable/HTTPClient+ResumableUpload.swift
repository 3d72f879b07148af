public import HTTPTypes

extension HTTPClient {
    /// Uploads a file with the protocol for resumable uploads (draft-ietf-httpbis-resumable-upload), in the interop
    /// version of the options. After a lost connection or a restart, only the missing bytes are sent.
    ///
    /// The server sends a URL for the upload in a `104` response or in its final response. Only a URL of the request's
    /// own origin is accepted. After a lost connection, the client asks for the number of received bytes (`HEAD`) and
    /// sends the rest (`PATCH`). Until the server has sent the URL, nothing can be resumed: a lost connection then
    /// fails the upload, although it may have reached the server.
    ///
    /// - Parameters:
    /// - request: The request that starts the upload. Later requests repeat its fields, except those about the body,
    ///   conditions (`If-*`) and `Range`.
    /// - path: The path of the file. The file is read once for its digest before it is sent, and must not change
    ///   meanwhile.
    /// - token: The token of an earlier call, as passed to ``ResumableUploadOptions/onToken``.
    /// - options: Timeouts, limits and the fallback for servers without support.
    /// - Throws: ``TransportError`` if the connection failed, and ``TransferError`` for all other failures. A status
    ///   other than success is ``TransferError/Code-swift.struct/unexpectedStatus``.
    public func uploadResumably(
        _ request: HTTPRequest, from path: String, resuming token: ResumeToken? = nil,
        options: ResumableUploadOptions = ResumableUploadOptions()
    ) async throws -> ResumableUploadResult {
        var driver = try await ResumableUploadDriver(self, request, from: path, token, options)
        return try await driver.run()
    }

    /// Asks the server to delete an upload (`DELETE`). An upload that the server does not know is not an error.
    ///
    /// - Parameters:
    /// - token: The token of the upload.
    /// - request: The request that started the upload. Its credentials are sent too.
    /// - options: Timeouts.
    /// - Throws: ``TransportError``, or ``TransferError`` if the token belongs to another request or the server
    ///   refuses.
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
                .unexpectedStatus, "The server responded with status \(code).", response: answer.response,
                body: answer.body)
        }
    }
}
