public import HTTPTypes
import HoldfastSystem

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

/// The options of a resumable upload.
public struct ResumableUploadOptions: Sendable {
    /// The behavior with a server that does not support the protocol.
    public enum Fallback: Hashable, Sendable {
        /// Asks the server first (`OPTIONS`). Without support, the upload fails with
        /// ``TransferError/Code-swift.struct/resumptionNotSupported`` before any byte of the file is sent.
        case refuse
        /// Sends the file at once. A server without support receives a plain upload, which cannot be resumed.
        case plain
    }

    /// The maximum time without progress in one request. 120 seconds by default.
    public var idleTimeout: Duration
    /// The maximum time for the whole upload, including retries and waits; `nil` for no limit. 120 seconds by default,
    /// as the chat setting `uploadTimeout`; large files need more.
    public var totalTimeout: Duration?
    /// Whether to wait for a missing network, up to ``totalTimeout``. True by default.
    public var waitsForConnectivity: Bool
    /// The version of the protocol.
    public var version: UploadInteropVersion
    /// The behavior with a server that does not support the protocol.
    public var fallback: Fallback
    /// The maximum number of bytes of the file per request; `nil` for no limit. A limit that the server announces
    /// always applies.
    public var partSize: Int64?
    /// Whether the first request announces the digest of the file (`Repr-Digest`, RFC 9530, SHA-256).
    public var announcesDigest: Bool
    /// The rules for retrying after a lost connection.
    public var retry: TransferRetry
    /// The maximum size of a response body. 64 KiB by default.
    ///
    /// - Error: `TransportError.Code.responseTooLarge`
    public var maximumAnswerBytes: Int
    /// A closure that is called with the number of bytes written to sockets (``TransferProgress/sent``). The number
    /// decreases if bytes were lost. The closure runs on an event loop, so it must return quickly and must not block.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// A closure that is called with other events, in the task of the upload.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?
    /// A closure that is called with the token for resuming: when the token is first available, and after each
    /// acknowledgement. The upload waits for it to return.
    public var onToken: (@Sendable (ResumeToken) async -> Void)?

    /// Creates options.
    public init(
        idleTimeout: Duration = .seconds(120), totalTimeout: Duration? = .seconds(120),
        waitsForConnectivity: Bool = true, version: UploadInteropVersion = .six, fallback: Fallback = .refuse,
        partSize: Int64? = nil, announcesDigest: Bool = false, retry: TransferRetry = TransferRetry(),
        maximumAnswerBytes: Int = 64 * 1024, onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        onEvent: (@Sendable (TransferEvent) -> Void)? = nil, onToken: (@Sendable (ResumeToken) async -> Void)? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.waitsForConnectivity = waitsForConnectivity
        self.version = version
        self.fallback = fallback
        self.partSize = partSize
        self.announcesDigest = announcesDigest
        self.retry = retry
        self.maximumAnswerBytes = maximumAnswerBytes
        self.onProgress = onProgress
        self.onEvent = onEvent
        self.onToken = onToken
    }
}

/// The result of a resumable upload.
public struct ResumableUploadResult: Sendable {
    /// The server's final response. `nil` if the connection was lost after the server had all bytes: the server then
    /// confirms the upload, but its response is lost.
    public var answer: CollectedResponse?
    /// The number of bytes that an earlier call had sent.
    public var resumedAt: Int64
    /// The number of connections that were needed.
    public var attempts: Int
    /// Whether the server supported the protocol.
    public var wasResumable: Bool
}

/// The data for resuming an upload, also after a restart.
///
/// Store it like a credential: anyone with the token and the request's credentials can resume or cancel the upload. It
/// contains no credentials of the request.
///
/// The token is bound to the request's URL and method, and to the file's size, date and digest, and is refused for any
/// other file. A decoded token is validated when it is used.
public struct ResumeToken: Hashable, Sendable, Codable, CustomStringConvertible {
    var format = 1
    let version: UploadInteropVersion
    /// The URL of the upload.
    let location: String
    /// The digest of the request's method and URL.
    let request: String
    let stamp: FileStamp
    /// The digest of the file.
    let digest: String
    /// The number of bytes that the server acknowledged. The server may have more.
    public internal(set) var acknowledged: Int64

    /// The size of the file, in bytes.
    public var size: Int64 { stamp.size }

    /// The size of the file and the number of acknowledged bytes.
    public var description: String { "upload of \(size) bytes, \(acknowledged) of them acknowledged" }

    /// Throws `tokenRefused` if the token was not created for the request.
    func check(_ method: HTTPRequest.Method, _ url: RequestURL) throws(TransferError) {
        guard format == 1, request == Self.binding(method, url) else {
            throw TransferError(.tokenRefused, "The token belongs to another request.")
        }
    }

    /// Returns the binding of a token to its request: a digest, because URLs may contain credentials.
    static func binding(_ method: HTTPRequest.Method, _ url: RequestURL) -> String {
        PartRecord.digest(of: "\(method.rawValue) \(url.text)")
    }
}
