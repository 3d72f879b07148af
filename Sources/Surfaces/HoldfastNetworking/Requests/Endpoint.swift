public import Foundation

/// An endpoint as a value.
public struct Endpoint: EndpointProtocol {
    /// The path below the base URL.
    public let path: String
    /// The method.
    public let method: HTTPMethod
    /// The query, in order.
    public var query: [URLQueryItem]?
    /// The members of a JSON object that is sent as the body.
    public var body: [String: EndpointAnyEncodable]?
    /// Whether the access token is sent along.
    public var requiresAuth: Bool

    /// Describes an endpoint.
    public init(
        path: String, method: HTTPMethod, query: [URLQueryItem]? = nil,
        body: [String: EndpointAnyEncodable]? = nil, requiresAuth: Bool = false
    ) {
        self.path = path
        self.method = method
        self.query = query
        self.body = body
        self.requiresAuth = requiresAuth
    }
}
