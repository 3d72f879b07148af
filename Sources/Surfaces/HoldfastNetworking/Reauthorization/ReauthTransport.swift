public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that gets a new access token when the server no longer takes the old one, and sends the request again.
///
/// After a 401 the token in the store is looked at first: where it is another than the one that was sent, the request is
/// repeated with that. Otherwise `refreshToken` is called, once for all requests that wait for it; if it throws, each of
/// them throws that. A request is sent again at most once for each of the two, and a 401 after that goes to the caller. So do
/// a 401 to a request that `refreshToken` itself makes through this transport, and to one whose body is a stream.
///
/// A request that went out without a token gets none by its 401: it was not meant to carry one, and may be for a server that
/// must not see it. `alsoWithoutToken` is for stores that are empty before the first refresh.
///
/// The token stays with its origin (scheme, host and port), in whatever field it is: a redirect to another origin leaves the field
/// out, and a 401 from there starts no refresh.
///
/// Tokens are in no error and in no log.
public struct ReauthTransport: HTTPTransportProtocol {
    private let inner: any HTTPTransportProtocol
    private let authService: any AuthServiceProtocol
    private let alsoWithoutToken: Bool
    private let refreshToken: @Sendable () async throws -> Void
    let coordinator = RefreshCoordinator()

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - inner: What carries the requests. By default Holdfast's own transport, which is asked again after failures.
    ///   - authService: Where the token is, and how it is put into a request.
    ///   - alsoWithoutToken: Whether a 401 to a request without a token is answered with one, too: as GentleNetworking
    ///     does it.
    ///   - refreshToken: Gets a new token and saves it with `authService`. Once it runs it is not cancelled, whoever goes.
    public init(
        inner: any HTTPTransportProtocol = RetryTransport(),
        authService: any AuthServiceProtocol = SystemKeyChainAuthService(), alsoWithoutToken: Bool = false,
        refreshToken: @escaping @Sendable () async throws -> Void
    ) {
        self.inner = inner
        self.authService = authService
        self.alsoWithoutToken = alsoWithoutToken
        self.refreshToken = refreshToken
    }

    /// Throws what the inner transport, the store or the refresh throws, or `CancellationError` where the task is cancelled
    /// while it waits for the refresh.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        var answer = try await send(request)
        guard refusesToken(answer), mayBeSentAgain(request) else { return (answer.data, answer.response) }

        let current = try await authService.authorize(request)
        if token(in: current) != token(in: request) {
            answer = try await send(current)
            guard refusesToken(answer) else { return (answer.data, answer.response) }
        }
        try await coordinator.refresh(refreshToken)
        answer = try await send(authService.authorize(request))
        return (answer.data, answer.response)
    }

    private typealias Answer = (data: Data, response: HTTPURLResponse, outcome: TokenCall.Outcome)

    private func send(_ request: URLRequest) async throws -> Answer {
        try await TokenCall.send(request, tokenIn: authService.headerField, over: inner)
    }

    /// Whether the server that the token belongs to refuses it. A 401 that comes after a redirect has left the origin is about no
    /// token: none was sent there.
    private func refusesToken(_ answer: Answer) -> Bool {
        answer.response.statusCode == 401 && !answer.outcome.hasLeftOrigin
    }

    private func mayBeSentAgain(_ request: URLRequest) -> Bool {
        request.httpBodyStream == nil && !coordinator.isInsideRefresh
            && (alsoWithoutToken || token(in: request) != nil)
    }

    private func token(in request: URLRequest) -> String? {
        request.value(forHTTPHeaderField: authService.headerField)
    }
}
