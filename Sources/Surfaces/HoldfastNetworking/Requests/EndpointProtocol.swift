public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// One call of an API: path, method, query and body.
public protocol EndpointProtocol: Sendable {
    /// The path below the base URL. It is percent-encoded where that is needed.
    var path: String { get }
    /// The method.
    var method: HTTPMethod { get }
    /// The query, in order.
    var query: [URLQueryItem]? { get }
    /// The members of a JSON object that is sent as the body.
    var body: [String: EndpointAnyEncodable]? { get }
    /// Whether the access token is sent along.
    var requiresAuth: Bool { get }
}

extension EndpointProtocol {
    /// The request for this endpoint of the API at `baseURL`.
    ///
    /// - Throws: ``NetworkError/invalidEndpoint(path:)``, or what the encoder throws.
    public func from(_ baseURL: URL, jsonEncoder: JSONEncoder = JSONEncoder()) throws -> URLRequest {
        guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            throw NetworkError.invalidEndpoint(path: path)
        }
        let base = components.path.hasSuffix("/") ? String(components.path.dropLast()) : components.path
        let tail = path.hasPrefix("/") || path.isEmpty ? path : "/" + path
        components.path = base + tail
        if let query, !query.isEmpty { components.queryItems = query }
        // An endpoint names a path on its own server, and can lead to no other.
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

/// Any encodable value, for the body of an endpoint.
public struct EndpointAnyEncodable: Encodable, Sendable {
    private let body: @Sendable (any Encoder) throws -> Void

    /// Wraps a value.
    public init<T: Encodable & Sendable>(_ value: T) {
        self.body = { try value.encode(to: $0) }
    }

    public func encode(to encoder: any Encoder) throws {
        try body(encoder)
    }
}

/// The methods that endpoints use.
public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"
}
