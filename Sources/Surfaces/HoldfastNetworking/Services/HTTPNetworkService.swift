public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls endpoints over a transport: by default Holdfast's own, with the machine's roots.
///
/// The access token stays with its origin (scheme, host and port): a redirect to another one leaves out the field that carries it,
/// whatever ``AuthServiceProtocol/headerField`` calls that. The handler is told of a 401 that the token's own origin gives to the
/// token that is in the store.
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
    ///   - invalidationHandler: Told when the server refuses the stored token.
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
        var stored: String?
        if endpoint.requiresAuth {
            // Only a 401 needs it: an auth service with an `authorize(_:)` of its own may have no token to load.
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

    /// Whether a 401 is about the token that is in the store now. It is not where a redirect has left the token's origin, or where
    /// another token has been stored since. What an `authorize(_:)` of the app's own makes of a token may differ each time; the
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
            // The store cannot be read: nothing says that there is another token.
            return true
        }
    }
}
