public import HTTPTypes

/// The reason why a download or an upload failed. Connection failures are reported as ``TransportError``.
public struct TransferError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence with the details. It never contains a credential or the URL of an upload.
    public var reason: String
    /// The unexpected response, if ``code`` is ``Code-swift.struct/unexpectedStatus``.
    public var response: HTTPResponse?
    /// The first bytes of the unexpected response's body, at most 16 KiB.
    public var body: [UInt8]
    /// The expected digest, if ``code`` is ``Code-swift.struct/checksumMismatch``.
    public var expected: Checksum?
    /// The actual digest, if ``code`` is ``Code-swift.struct/checksumMismatch``.
    public var found: Checksum?

    /// Creates an error.
    public init(
        _ code: Code, _ reason: String, response: HTTPResponse? = nil, body: [UInt8] = [], expected: Checksum? = nil,
        found: Checksum? = nil
    ) {
        self.code = code
        self.reason = reason
        self.response = response
        self.body = body
        self.expected = expected
        self.found = found
    }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}

extension TransferError {
    /// The stable name of a kind of failure.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The request is not valid for a transfer: it has another method, or contains fields that the transfer sets
        /// itself.
        ///
        /// - Remedy: Correct the request.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The server answered with a status that the transfer cannot use; ``TransferError/response`` is the response.
        ///
        /// - Remedy: Handle the status of `response`.
        public static let unexpectedStatus = Code(rawValue: "unexpectedStatus")
        /// A field of the response cannot be parsed.
        ///
        /// - Remedy: Correct the server.
        public static let malformedField = Code(rawValue: "malformedField")
        /// A `206` response has a range other than the requested one, or its body does not match its head.
        ///
        /// - Remedy: Correct the server, or delete the part.
        public static let rangeMismatch = Code(rawValue: "rangeMismatch")
        /// The server sent a coded body that the request did not accept. Its ranges and checksums would apply to other
        /// bytes.
        ///
        /// - Remedy: Turn off compression for the file at the server.
        public static let codedBody = Code(rawValue: "codedBody")
        /// The file on the server changed repeatedly during the download.
        ///
        /// - Remedy: Start the download again later.
        public static let contentChanged = Code(rawValue: "contentChanged")
        /// The content exceeds the limit of the caller or, for an upload, of the server.
        ///
        /// - Remedy: Raise the limit, or do not transfer the file.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The digest of the content differs from the announced or required digest. The downloaded bytes were deleted.
        ///
        /// - Remedy: Start the download again; suspect a damaged copy.
        public static let checksumMismatch = Code(rawValue: "checksumMismatch")
        /// A local file cannot be created, read, written or moved into place, or belongs to another user.
        ///
        /// - Remedy: Check the file's folder, its owner and the free space.
        public static let fileUnusable = Code(rawValue: "fileUnusable")
        /// The destination of a download exists, and ``DownloadOptions/replacement-swift.property`` does not permit
        /// replacing it. The bytes received so far are kept for the next call.
        ///
        /// - Remedy: Choose another destination, or permit the replacement.
        public static let destinationExists = Code(rawValue: "destinationExists")
        /// The server sent less than the ``MinimumProgress`` of a download. The bytes received so far are kept for the
        /// next call.
        ///
        /// - Remedy: Call the function again: the download continues.
        public static let tooLittleProgress = Code(rawValue: "tooLittleProgress")
        /// Another download to the same destination is in progress.
        ///
        /// - Remedy: Wait for the other download.
        public static let alreadyUnderway = Code(rawValue: "alreadyUnderway")
        /// The local file changed during an upload: its size, its date or its digest differs.
        ///
        /// - Remedy: Upload the file again from its beginning.
        public static let fileChanged = Code(rawValue: "fileChanged")

        /// The server does not support the protocol for resumable uploads.
        ///
        /// - Remedy: Use a plain upload.
        public static let resumptionNotSupported = Code(rawValue: "resumptionNotSupported")
        /// The server sent no URL for the upload, a different one than before, or one on another origin.
        ///
        /// - Remedy: Correct the server.
        public static let locationRefused = Code(rawValue: "locationRefused")
        /// The server reports an offset beyond the end of the file, a smaller offset than before, or none.
        ///
        /// - Remedy: Upload the file again from its beginning.
        public static let offsetRefused = Code(rawValue: "offsetRefused")
        /// The server does not know the upload, or no longer knows it. The token cannot be used again.
        ///
        /// - Remedy: Upload the file again from its beginning.
        public static let uploadGone = Code(rawValue: "uploadGone")
        /// The token belongs to another request, or cannot be parsed.
        ///
        /// - Remedy: Upload the file again from its beginning.
        public static let tokenRefused = Code(rawValue: "tokenRefused")
    }
}
