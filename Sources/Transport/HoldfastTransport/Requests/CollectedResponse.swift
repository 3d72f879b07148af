public import HTTPTypes

/// A response whose body is in memory.
public struct CollectedResponse: Sendable {
    /// The status and the header fields.
    public var response: HTTPResponse
    /// The body.
    public var body: [UInt8]
    /// The trailer fields, if the server sent any.
    public var trailers: HTTPFields?
    /// The properties of the connection that carried the exchange.
    public var facts: ConnectionFacts
    /// The request that was answered: after redirects, the last one.
    package var request: HTTPRequest?
    /// Whether any redirect led to another origin.
    package var hasLeftOrigin = false

    /// Creates a response.
    public init(response: HTTPResponse, body: [UInt8], trailers: HTTPFields? = nil, facts: ConnectionFacts) {
        self.response = response
        self.body = body
        self.trailers = trailers
        self.facts = facts
    }
}
