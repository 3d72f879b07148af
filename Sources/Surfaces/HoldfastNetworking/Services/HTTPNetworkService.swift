public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A network service that calls endpoints over a transport, by default Holdfast's own with the machine's roots.
///
/// The access token stays with its origin (scheme, host and port). A redirect to another origin omits the token's
/// field, whatever its ``AuthServiceProtocol/headerField`` is. The invalidation handler is called only if the token's
/// own origin answers 401 to the stored token.
///
/// A refused server reaches the caller as the transport's error with its verdict. Every status other than 2xx throws
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
    ///   - transport: The transport that sends the requests.
    ///   - authService: Provides the access token. By default the system's key chain, or sealed files if there is none.
    ///     It is not read before an endpoint requires the token.
    ///   - invalidationHandler: Called when the server refuses the stored token.
    ///   - jsonDecoder: Decodes responses.
    ///   - jsonEncoder: Encodes request bodies.
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

    /// Calls an endpoint and decodes its JSON response. Throws ``NetworkError``, or the error of the transport, the
    /// auth service or the decoder.
    public func request<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> Model {
        let (data, _) = try await call(endpoint, environment)
        return try jsonDecoder.decode(Model.self, from: data)
    }

    /// Calls an endpoint and decodes its response, a JSON array. Throws like ``request(to:via:)``.
    public func requestModels<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> [Model] {
        try await request(to: endpoint, via: environment)
    }

    /// Calls an endpoint, ignores the body of its response and returns its status. Throws like ``request(to:via:)``.
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
        var stored: String?
        if endpoint.requiresAuth {
            // Only a 401 needs the stored token. An auth service with its own `authorize(_:)` may have none.
            if invalidationHandler != nil { stored = try? await authService.loadAccessToken() }
            request = try await authService.authorize(request)
        }
        let (data, response, outcome) = try await TokenCall.send(
            request, tokenIn: authService.headerField, over: transport)
        guard !(200..<300).contains(response.statusCode) else { return (data, response.statusCode) }
        guard let error = HTTPStatusError(statusCode: response.statusCode) else {
            throw NetworkError.invalidStatusCode(response.statusCode)
        }
        if error == .unauthorized, endpoint.requiresAuth, let invalidationHandler,
            await refusesCurrentToken(outcome, stored: stored, request)
        {
            await invalidationHandler.handleInvalidToken()
        }
        throw NetworkError.httpStatusError(error)
    }

    /// Whether a 401 concerns the currently stored token. It does not after a redirect to another origin, or if another
    /// token has been stored since. An app's own `authorize(_:)` may transform a token differently each time; the
    /// stored token decides then.
    private func refusesCurrentToken(
        _ outcome: TokenCall.Outcome, stored: String?, _ request: URLRequest
    ) async -> Bool {
        guard !outcome.hasLeftOrigin else { return false }
        do {
            if try await authService.loadAccessToken() == stored { return true }
            var unauthorized = request
            unauthorized.setValue(nil, forHTTPHeaderField: authService.headerField)
            let current = try await authService.authorize(unauthorized)
            return current.value(forHTTPHeaderField: authService.headerField) == outcome.token
        } catch {
            // If the store cannot be read, the token is assumed to be unchanged.
            return true
        }
    }
}
