public import HTTPTypes

/// A reader for a response body, which reads one part at a time.
///
/// The reader is valid only inside the closure of ``HTTPClient/execute(_:body:options:handle:)``.
public struct HTTPBodyReader: ~Copyable {
    private let exchange: Exchange
    /// The decoder of the body's coding, if it has one.
    private let decoder: BodyDecoder?

    /// The properties of the connection that carries the exchange.
    public let facts: ConnectionFacts

    /// The URL of the response: after redirects, the last one.
    package var url: RequestURL?

    init(_ exchange: Exchange, facts: ConnectionFacts, decoder: BodyDecoder? = nil) {
        self.exchange = exchange
        self.decoder = decoder
        self.facts = facts
    }

    /// Returns the next part of the body, or `nil` at the end. Throws a ``TransportError`` if the body is incomplete.
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

    /// The trailer fields; `nil` before the end of the body, and if the server sent none.
    public var trailers: HTTPFields? { exchange.trailers }
}
