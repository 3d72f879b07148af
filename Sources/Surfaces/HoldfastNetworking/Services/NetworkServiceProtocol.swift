public import Foundation

/// Calls endpoints and decodes their responses.
public protocol NetworkServiceProtocol: Sendable {
    /// Calls an endpoint and decodes its JSON response.
    func request<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> Model

    /// Calls an endpoint and decodes its response, a JSON array.
    func requestModels<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> [Model]

    /// Calls an endpoint and ignores the body of its response.
    @discardableResult
    func requestVoid(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> NetworkServiceEmptyResponseResult
}

/// The result of a request whose response body is ignored.
public enum NetworkServiceEmptyResponseResult: Hashable, Sendable {
    /// The request succeeded with this status.
    case success(code: Int)
}

/// Receives a notification when a server refuses the access token.
public protocol TokenInvalidationHandler: Sendable {
    /// Handles a 401 response to a request with the token. Not called for a 401 from another origin after a redirect,
    /// or if the token has been replaced in the store since.
    func handleInvalidToken() async
}

/// The base URL of an API.
public protocol APIEnvironmentProtocol: Sendable {
    /// The URL to which paths are appended; `nil` if it is not configured.
    var _baseURL: URL? { get }
}

extension APIEnvironmentProtocol {
    /// The URL to which paths are appended. Traps if it is not configured, as documented by GentleNetworking. Holdfast
    /// itself uses ``configuredBaseURL``, which throws.
    public var baseURL: URL {
        guard let _baseURL else {
            fatalError("The environment has no base URL.")  // reason: documented behavior; unused in this package
        }
        return _baseURL
    }

    /// The URL to which paths are appended. Throws ``NetworkError/missingBaseURL`` if it is not configured.
    public var configuredBaseURL: URL {
        get throws(NetworkError) {
            guard let _baseURL else { throw .missingBaseURL }
            return _baseURL
        }
    }
}

/// A value that describes an environment.
public struct DefaultAPIEnvironment: APIEnvironmentProtocol, Equatable {
    /// The URL to which paths are appended; `nil` if it is not configured.
    public let _baseURL: URL?

    /// Makes an environment for an API at this URL.
    public init(baseURL: URL? = nil) {
        self._baseURL = baseURL
    }
}
