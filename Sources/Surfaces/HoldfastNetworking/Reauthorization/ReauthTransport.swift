public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that obtains a new access token after a 401 response and sends the request again.
///
/// After a 401, the transport first reads the stored token. If it differs from the token of the request, the request is
/// repeated with the stored token. Otherwise `refreshToken` is called once for all waiting requests; if it throws, all
/// of them throw its error. A request is repeated at most once for each of the two cases.
///
/// These 401 responses go to the caller:
///
/// - A 401 after both repetitions.
/// - A 401 to a request that `refreshToken` itself sends through this transport.
/// - A 401 to a request whose body is a stream.
///
/// A request that was sent without a token is not repeated with one, because it may be for a server that must not see
/// the token. Use `alsoWithoutToken` for stores that are empty before the first refresh.
///
/// The token stays with its origin (scheme, host and port), whatever its field is called. A redirect to another origin
/// omits the field, and a 401 from there starts no refresh.
///
/// Errors and logs never contain tokens.
public struct ReauthTransport: HTTPTransportProtocol {
    private let inner: any HTTPTransportProtocol
    private let authService: any AuthServiceProtocol
    private let alsoWithoutToken: Bool
    private let refreshToken: @Sendable () async throws -> Void
    let coordinator = RefreshCoordinator()

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - inner: The transport that sends the requests. By default Holdfast's own transport with retries.
    ///   - authService: Stores the token and adds it to requests.
    ///   - alsoWithoutToken: Whether a request without a token is also repeated with one after a 401, as in
    ///     GentleNetworking.
    ///   - refreshToken: Obtains a new token and saves it with `authService`. Once started, it is not cancelled, even
    ///     if all waiting requests are.
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

    /// Sends a request. Throws the error of the inner transport, the store or the refresh, or `CancellationError` if
    /// the task is cancelled while it waits for the refresh.
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

    /// Whether the token's own server refuses it. After a redirect to another origin, a 401 does not concern the token,
    /// because it was not sent there.
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
