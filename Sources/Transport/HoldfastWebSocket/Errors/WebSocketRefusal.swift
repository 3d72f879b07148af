public import HTTPTypes

/// The answer of a server that did not grant the upgrade.
public struct WebSocketRefusal: Hashable, Sendable {
    /// The status code; `401` where the server wants a credential, `503` where it is busy.
    public var status: Int
    /// The header fields, `Retry-After` among them where the server sent it. The server wrote them: they may hold
    /// secrets such as cookies.
    public var headerFields: HTTPFields
    /// The start of the body.
    public var body: [UInt8]
    /// Whether the body was longer than what is kept, or did not arrive in time.
    public var bodyIsTruncated: Bool

    /// Describes an answer.
    public init(status: Int, headerFields: HTTPFields = [:], body: [UInt8] = [], bodyIsTruncated: Bool = false) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.bodyIsTruncated = bodyIsTruncated
    }

    /// How long the server asks to wait, where it says so in seconds (RFC 9110, 10.2.3). The form with a date is left
    /// to whoever has a clock: it is in ``headerFields``.
    public var retryAfter: Duration? {
        guard let text = headerFields[.retryAfter], text.utf8.count <= 9,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text)
        else { return nil }
        return .seconds(seconds)
    }
}
