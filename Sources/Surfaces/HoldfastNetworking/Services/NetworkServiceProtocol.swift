public import Foundation

/// Calls endpoints and decodes what they answer.
public protocol NetworkServiceProtocol: Sendable {
    /// Calls an endpoint and decodes its JSON answer.
    func request<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> Model

    /// Calls an endpoint and decodes its answer, a JSON array.
    func requestModels<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> [Model]

    /// Calls an endpoint and does not look at the answer's body.
    @discardableResult
    func requestVoid(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> NetworkServiceEmptyResponseResult
}

/// A service that answers every call with the same JSON, for tests and previews. Nothing is sent.
public struct MockNetworkService: NetworkServiceProtocol {
    private let data: Data
    private let jsonDecoder: JSONDecoder
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// Answers with these bytes.
    ///
    /// - Parameters:
    ///   - data: What is decoded.
    ///   - jsonDecoder: Decodes it.
    ///   - duration: How long each call takes.
    ///   - clock: What that is measured by.
    public init(
        data: Data, jsonDecoder: JSONDecoder = JSONDecoder(), duration: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.data = data
        self.jsonDecoder = jsonDecoder
        self.duration = duration
        self.clock = clock
    }

    /// Answers with this text.
    public init(
        responseJSON: String = "", jsonDecoder: JSONDecoder = JSONDecoder(), duration: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(data: Data(responseJSON.utf8), jsonDecoder: jsonDecoder, duration: duration, clock: clock)
    }

    /// Throws what the decoder throws, or `CancellationError`.
    public func request<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> Model {
        try await wait()
        return try jsonDecoder.decode(Model.self, from: data)
    }

    /// Throws what the decoder throws, or `CancellationError`.
    public func requestModels<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> [Model] {
        try await request(to: endpoint, via: environment)
    }

    /// Answers with the status 200. Throws `CancellationError`.
    @discardableResult
    public func requestVoid(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> NetworkServiceEmptyResponseResult {
        try await wait()
        return .success(code: 200)
    }

    private func wait() async throws {
        guard duration > .zero else { return try Task.checkCancellation() }
        try await clock.sleep(for: duration)  // reason: the duration that the caller asks for, on the caller's clock
    }
}

/// The outcome of a request whose response body is not looked at.
public enum NetworkServiceEmptyResponseResult: Hashable, Sendable {
    /// It succeeded with this status.
    case success(code: Int)
}

/// Told when a server no longer takes the access token.
public protocol TokenInvalidationHandler: Sendable {
    /// The server has answered 401 to a request that carried the token. A 401 from another origin, to which a redirect has led, and
    /// one to a token that has been replaced in the store since do not count.
    func handleInvalidToken() async
}
