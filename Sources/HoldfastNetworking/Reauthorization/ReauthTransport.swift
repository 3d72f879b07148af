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
        var sent = request
        var answer = try await inner.data(for: sent)
        guard answer.1.statusCode == 401, mayBeSentAgain(request) else { return answer }

        let current = try await authService.authorize(request)
        if token(in: current) != token(in: sent) {
            sent = current
            answer = try await inner.data(for: sent)
            guard answer.1.statusCode == 401 else { return answer }
        }
        try await coordinator.refresh(refreshToken)
        return try await inner.data(for: authService.authorize(request))
    }

    private func mayBeSentAgain(_ request: URLRequest) -> Bool {
        request.httpBodyStream == nil && !coordinator.isInsideRefresh
            && (alsoWithoutToken || token(in: request) != nil)
    }

    private func token(in request: URLRequest) -> String? {
        request.value(forHTTPHeaderField: authService.headerField)
    }
}
