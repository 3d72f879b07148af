public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls endpoints over a transport: by default Holdfast's own, with the machine's roots.
///
/// A refused server reaches the caller as the transport's error, verdict and all. Each status but 2xx is a
/// ``NetworkError/httpStatusError(_:)``.
public struct HTTPNetworkService: NetworkServiceProtocol {
    private let transport: any HTTPTransportProtocol
    private let authService: any AuthServiceProtocol
    private let invalidationHandler: (any TokenInvalidationHandler)?
    private let jsonDecoder: JSONDecoder
    private let jsonEncoder: JSONEncoder

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests.
    ///   - authService: Where the access token comes from. By default the system's key chain, or sealed files where there
    ///     is none; nothing is read before an endpoint asks for the token.
    ///   - invalidationHandler: Told when the server no longer takes the token.
    ///   - jsonDecoder: Decodes answers.
    ///   - jsonEncoder: Encodes bodies.
    public init(
        transport: any HTTPTransportProtocol = HTTPClientTransport(),
        authService: any AuthServiceProtocol = SystemKeyChainAuthService(),
        invalidationHandler: (any TokenInvalidationHandler)? = nil, jsonDecoder: JSONDecoder? = nil,
        jsonEncoder: JSONEncoder? = nil
    ) {
        self.transport = transport
        self.authService = authService
        self.invalidationHandler = invalidationHandler
        self.jsonDecoder = jsonDecoder ?? JSONDecoder()
        self.jsonEncoder = jsonEncoder ?? JSONEncoder()
    }

    public func request<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> Model {
        let (data, _) = try await call(endpoint, environment)
        return try jsonDecoder.decode(Model.self, from: data)
    }

    public func requestModels<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> [Model] {
        try await request(to: endpoint, via: environment)
    }

    @discardableResult
    public func requestVoid(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> NetworkServiceEmptyResponseResult {
        let (_, status) = try await call(endpoint, environment)
        return .success(code: status)
    }

    private func call(
        _ endpoint: any EndpointProtocol, _ environment: any APIEnvironmentProtocol
    ) async throws -> (Data, Int) {
        var request = try endpoint.from(environment.configuredBaseURL, jsonEncoder: jsonEncoder)
        if endpoint.requiresAuth {
            request = try await authService.authorize(request)
        }
        let (data, response) = try await transport.data(for: request)
        guard !(200..<300).contains(response.statusCode) else { return (data, response.statusCode) }
        guard let error = HTTPStatusError(statusCode: response.statusCode) else {
            throw NetworkError.invalidStatusCode(response.statusCode)
        }
        if error == .unauthorized, endpoint.requiresAuth {
            await invalidationHandler?.handleInvalidToken()
        }
        throw NetworkError.httpStatusError(error)
    }
}
