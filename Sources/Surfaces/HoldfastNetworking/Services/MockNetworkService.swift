public import Foundation

/// A service that answers every call with the same JSON, for tests and previews. It sends nothing.
public struct MockNetworkService: NetworkServiceProtocol {
    private let data: Data
    private let jsonDecoder: JSONDecoder
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// Makes a service that answers with these bytes.
    ///
    /// - Parameters:
    ///   - data: The response body.
    ///   - jsonDecoder: Decodes the response body.
    ///   - duration: The duration of each call.
    ///   - clock: The clock for the duration.
    public init(
        data: Data, jsonDecoder: JSONDecoder = JSONDecoder(), duration: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.data = data
        self.jsonDecoder = jsonDecoder
        self.duration = duration
        self.clock = clock
    }

    /// Makes a service that answers with this text.
    public init(
        responseJSON: String = "", jsonDecoder: JSONDecoder = JSONDecoder(), duration: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(data: Data(responseJSON.utf8), jsonDecoder: jsonDecoder, duration: duration, clock: clock)
    }

    /// Decodes the response body. Throws the decoder's error or `CancellationError`.
    public func request<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> Model {
        try await wait()
        return try jsonDecoder.decode(Model.self, from: data)
    }

    /// Decodes the response body as an array. Throws the decoder's error or `CancellationError`.
    public func requestModels<Model: Decodable>(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> [Model] {
        try await request(to: endpoint, via: environment)
    }

    /// Returns the status 200. Throws `CancellationError`.
    @discardableResult
    public func requestVoid(
        to endpoint: any EndpointProtocol, via environment: any APIEnvironmentProtocol
    ) async throws -> NetworkServiceEmptyResponseResult {
        try await wait()
        return .success(code: 200)
    }

    private func wait() async throws {
        guard duration > .zero else { return try Task.checkCancellation() }
        try await clock.sleep(for: duration)  // reason: the requested duration of a call, on the caller's clock
    }
}
