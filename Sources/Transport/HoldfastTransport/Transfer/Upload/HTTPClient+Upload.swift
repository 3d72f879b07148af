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

/// The options of an upload.
public struct UploadOptions: Sendable {
    /// The digests of the file that the request announces (RFC 9530). Computing them reads the whole file before it is
    /// sent.
    public struct Digests: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: Int
        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `Content-Digest`: the digest of the request's content.
        public static let content = Digests(rawValue: 1)
        /// `Repr-Digest`: the digest of the whole file.
        public static let representation = Digests(rawValue: 2)
    }

    /// Timeouts, redirects, progress, and whether to wait for a missing network. By default
    /// ``RequestOptions/upload(uploadTimeout:total:)``: idle and total timeouts of 120 seconds, waiting for the
    /// network.
    public var request: RequestOptions
    /// The digests to announce; none by default.
    public var digests: Digests
    /// The digest algorithm. SHA-256 by default.
    public var algorithm: Checksum.Algorithm
    /// The maximum size of the response body. 64 KiB by default; more fails with
    /// ``TransportError/Code-swift.struct/responseTooLarge``.
    ///
    /// - Error: `TransportError.Code.responseTooLarge`
    public var maximumAnswerBytes: Int

    /// Creates options.
    public init(
        request: RequestOptions = .upload(), digests: Digests = [], algorithm: Checksum.Algorithm = .sha256,
        maximumAnswerBytes: Int = 64 * 1024
    ) {
        self.request = request
        self.digests = digests
        self.algorithm = algorithm
        self.maximumAnswerBytes = maximumAnswerBytes
    }
}

/// A file that is being uploaded. Reading it fails after it changed.
struct UploadFile: Sendable {
    let reader: FileReader

    init(path: String) async throws(TransportError) {
        reader = try await FileReader.opened(path: path, isWatched: true)
    }

    var size: Int64 { reader.size }

    /// Returns a range of the file as a body.
    func body(_ range: Range<Int64>) -> HTTPBody {
        HTTPBody(source: .opened(reader, range))
    }

    /// Returns the digest of the file.
    func digest(_ algorithm: Checksum.Algorithm) async throws -> Checksum {
        let reader = reader
        let bytes = try await translating {
            try await ContentHasher.digest(algorithm, of: 0..<reader.size, in: .preparing) {
                let part = try reader.read(at: $0, count: $1)
                guard !part.isEmpty else { throw Self.changed }
                return part
            }
        }
        guard let checksum = Checksum(algorithm, bytes: bytes) else { throw Self.changed }
        return checksum
    }

    /// Runs code that reads the file, and throws `fileChanged` if it failed because the file changed.
    func translating<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let error as TransportError where error.code == .bodyFailed && !reader.isUnchanged {
            throw Self.changed
        }
    }

    static let changed = TransferError(.fileChanged, "The file changed during the upload.")
}
