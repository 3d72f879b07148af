public import HTTPTypes

/// The body of a response, read part by part as fast as the caller takes it.
///
/// It lives inside the closure of ``HTTPClient/execute(_:body:options:handle:)``: nothing outlives that call.
public struct HTTPBodyReader: ~Copyable {
    private let exchange: Exchange

    /// About the connection that carries the exchange.
    public let facts: ConnectionFacts

    init(_ exchange: Exchange, facts: ConnectionFacts) {
        self.exchange = exchange
        self.facts = facts
    }

    /// The next part; `nil` at the end. Throws a ``TransportError`` when the body breaks off.
    public mutating func next() async throws -> [UInt8]? {
        try await exchange.nextPart()
    }

    /// The trailer fields; `nil` before the end, and where the server sent none.
    public var trailers: HTTPFields? { exchange.trailers }
}
