public import HTTPTypes
import HoldfastNIO
import NIOCore

extension HTTPClient {
    /// Uploads a file as the body of a single request.
    ///
    /// The file is opened once; if its size or date changes during the upload, the upload fails. The request is
    /// repeated only as any other request: on a new connection, if a reused one was closed before the request was sent,
    /// or before a response if the method is idempotent. To resume uploads after a lost connection, use
    /// ``uploadResumably(_:from:resuming:options:)``.
    ///
    /// - Parameters:
    /// - request: The request, usually a `POST` or a `PUT`.
    /// - path: The path of the file.
    /// - options: Timeouts, progress and digests.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``TransferError`` with ``TransferError/Code-swift.struct/fileChanged`` if the file changed, otherwise
    ///   ``TransportError``. A file that cannot be read is ``TransportError/Code-swift.struct/bodyFailed``.
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

    /// Sets a field that the caller must not set.
    private static func announce(_ value: String, _ field: String, in request: inout HTTPRequest) throws(TransferError)
    {
        guard let name = HTTPField.Name(field), !request.headerFields.contains(name) else {
            throw TransferError(
                .invalidRequest, "The request already contains the field \(field), which the upload sets.")
        }
        request.headerFields[name] = value
    }
}
