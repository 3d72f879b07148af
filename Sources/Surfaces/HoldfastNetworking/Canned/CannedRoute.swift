/// A canned response and the requests that get it.
public struct CannedRoute: Sendable {
    /// Which requests.
    public let pattern: RequestPattern
    /// The response.
    public let response: CannedResponse

    /// Describes a route.
    public init(pattern: RequestPattern, response: CannedResponse) {
        self.pattern = pattern
        self.response = response
    }
}
