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
