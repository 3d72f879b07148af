public import HTTPTypes

/// A request that a ``LoopbackServer`` has received completely.
public struct LoopbackRequest: Hashable, Sendable {
    /// The number of the connection in the order of acceptance, from zero.
    public var connection: Int
    /// The method.
    public var method: String
    /// The path and query, as sent.
    public var target: String
    /// The header fields in order. A field whose name is not a token is left out.
    public var fields: HTTPFields
    /// The body, without a transfer coding.
    public var body: [UInt8] = []
    /// Whether the request asked for a WebSocket connection.
    public var isWebSocketUpgrade = false

    /// The path without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The body as text. Invalid UTF-8 is replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
