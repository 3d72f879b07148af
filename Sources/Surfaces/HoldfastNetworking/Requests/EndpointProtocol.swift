public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// One endpoint of an API: its path, method, query and body.
public protocol EndpointProtocol: Sendable {
    /// The path below the base URL. It is percent-encoded if necessary.
    var path: String { get }
    /// The HTTP method.
    var method: HTTPMethod { get }
    /// The query items, in order.
    var query: [URLQueryItem]? { get }
    /// The members of the JSON object that is sent as the body.
    var body: [String: EndpointAnyEncodable]? { get }
    /// Whether the request carries the access token.
    var requiresAuth: Bool { get }
}

extension EndpointProtocol {
    /// Returns the request for this endpoint of the API at `baseURL`.
    ///
    /// - Throws: ``NetworkError/invalidEndpoint(path:)`` or the encoder's error.
    public func from(_ baseURL: URL, jsonEncoder: JSONEncoder = JSONEncoder()) throws -> URLRequest {
        guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            throw NetworkError.invalidEndpoint(path: path)
        }
        let base = components.path.hasSuffix("/") ? String(components.path.dropLast()) : components.path
        let tail = path.hasPrefix("/") || path.isEmpty ? path : "/" + path
        components.path = base + tail
        if let query, !query.isEmpty { components.queryItems = query }
        // An endpoint's path must not lead to another server.
        guard let url = components.url, url.scheme == baseURL.scheme, url.host == baseURL.host else {
            throw NetworkError.invalidEndpoint(path: path)
        }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        if let body {
            request.httpBody = try jsonEncoder.encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}

/// A value that describes an endpoint.
public struct Endpoint: EndpointProtocol {
    /// The path below the base URL.
    public let path: String
    /// The HTTP method.
    public let method: HTTPMethod
    /// The query items, in order.
    public var query: [URLQueryItem]?
    /// The members of the JSON object that is sent as the body.
    public var body: [String: EndpointAnyEncodable]?
    /// Whether the request carries the access token.
    public var requiresAuth: Bool

    /// Makes an endpoint.
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

/// A type-erased encodable value for the body of an endpoint.
public struct EndpointAnyEncodable: Encodable, Sendable {
    private let body: @Sendable (any Encoder) throws -> Void

    /// Wraps a value.
    public init<T: Encodable & Sendable>(_ value: T) {
        self.body = { try value.encode(to: $0) }
    }

    /// Encodes the wrapped value. Rethrows its error.
    public func encode(to encoder: any Encoder) throws {
        try body(encoder)
    }
}

/// The HTTP methods of endpoints.
public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"
}
