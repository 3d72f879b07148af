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
