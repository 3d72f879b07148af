public import HTTPTypes
import HoldfastNIO
import NIOCore

extension HTTPClient {
    /// Sends a file, in one piece, as the body of a request.
    ///
    /// The file is opened once and watched: when its size or its date changes while it is sent, the upload fails. It is sent
    /// again only where any request is: on a fresh connection, when a used one turns out to have ended before the request, or ended
    /// without a byte of an answer and the method is idempotent. For uploads that go on after a loss there is
    /// ``uploadResumably(_:from:resuming:options:)``.
    ///
    /// - Parameters:
    ///   - request: The request, most often a `POST` or a `PUT`.
    ///   - path: The file.
    ///   - options: Time-outs, progress, digests.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransferError`` (``TransferError/Code-swift.struct/fileChanged``) where the file has changed, else ``TransportError``: a
    ///   file that cannot be read is ``TransportError/Code-swift.struct/bodyFailed``.
    public func upload(
        _ request: HTTPRequest, from path: String, options: UploadOptions = UploadOptions()
    ) async throws -> CollectedResponse {
        let deadline = options.request.totalTimeout.map { core.now + TimeAmount(clamping: $0) }
        let file = try await UploadFile(path: path)
        var request = request
        if !options.digests.isEmpty {
            let value = DigestField.value([try await file.digest(options.algorithm)])
            if options.digests.contains(.content) { try Self.announce(value, DigestField.content, in: &request) }
            if options.digests.contains(.representation) {
                try Self.announce(value, DigestField.representation, in: &request)
            }
        }
        var requestOptions = options.request
        requestOptions.totalTimeout = try core.remaining(until: deadline)
        return try await file.translating { [request, requestOptions] in
            try await collect(
                request, body: file.body(0..<file.size), upTo: options.maximumAnswerBytes, options: requestOptions)
        }
    }

    /// Sets a field that the caller has left to the upload.
    private static func announce(_ value: String, _ field: String, in request: inout HTTPRequest) throws(TransferError)
    {
        guard let name = HTTPField.Name(field), !request.headerFields.contains(name) else {
            throw TransferError(.invalidRequest, "The request has a \(field) of its own.")
        }
        request.headerFields[name] = value
    }
}
