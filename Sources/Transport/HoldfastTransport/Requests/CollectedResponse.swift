public import HTTPTypes

/// A response whose body is in memory.
public struct CollectedResponse: Sendable {
    /// Status and header fields.
    public var response: HTTPResponse
    /// The body.
    public var body: [UInt8]
    /// The trailer fields, where the server sent any.
    public var trailers: HTTPFields?
    /// About the connection that carried the exchange.
    public var facts: ConnectionFacts
    /// The request that was answered: after redirects the last one.
    package var request: HTTPRequest?
    /// Whether a redirect has led to another origin, on the way or in the end.
    package var hasLeftOrigin = false

    /// Makes a response.
    public init(response: HTTPResponse, body: [UInt8], trailers: HTTPFields? = nil, facts: ConnectionFacts) {
        self.response = response
        self.body = body
        self.trailers = trailers
        self.facts = facts
    }
}
