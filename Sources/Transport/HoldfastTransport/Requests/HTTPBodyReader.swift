public import HTTPTypes

/// The body of a response, read part by part as fast as the caller takes it.
///
/// It lives inside the closure of ``HTTPClient/execute(_:body:options:handle:)``: nothing outlives that call.
public struct HTTPBodyReader: ~Copyable {
    private let exchange: Exchange
    /// What undoes the body's coding, where there is something to undo.
    private let decoder: BodyDecoder?

    /// About the connection that carries the exchange.
    public let facts: ConnectionFacts

    /// The URL that answered: after redirects the last one.
    package var url: RequestURL?

    init(_ exchange: Exchange, facts: ConnectionFacts, decoder: BodyDecoder? = nil) {
        self.exchange = exchange
        self.decoder = decoder
        self.facts = facts
    }

    /// The next part; `nil` at the end. Throws a ``TransportError`` when the body breaks off.
    public mutating func next() async throws -> [UInt8]? {
        guard let decoder else { return try await exchange.nextPart() }
        while true {
            if let part = try decoder.next() { return part }
            guard let coded = try await exchange.nextPart() else {
                try decoder.finish()
                return nil
            }
            decoder.feed(coded)
        }
    }

    /// The trailer fields; `nil` before the end, and where the server sent none.
    public var trailers: HTTPFields? { exchange.trailers }
}
