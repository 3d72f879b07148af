public import HTTPTypes

/// Why a download or an upload failed, where the connection is not to blame: that is a ``TransportError``.
public struct TransferError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public var code: Code
    /// One sentence for a person, with the facts in it. It never holds a credential, nor the URL of an upload.
    public var reason: String
    /// The response that was not the one expected, where ``code`` is ``Code-swift.struct/unexpectedStatus``.
    public var response: HTTPResponse?
    /// The first bytes of that response's body, at most 16 KiB.
    public var body: [UInt8]
    /// The digest that was wanted, where ``code`` is ``Code-swift.struct/checksumMismatch``.
    public var expected: Checksum?
    /// The digest that was found, where ``code`` is ``Code-swift.struct/checksumMismatch``.
    public var found: Checksum?

    /// Makes an error.
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

    public var description: String { "\(code): \(reason)" }
}
