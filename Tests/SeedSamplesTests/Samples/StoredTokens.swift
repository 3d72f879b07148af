import Foundation
import HoldfastNetworking
import HoldfastTrust

// What seeds/003 describes in words: the system stores tokens, and they are available at the next launch.

struct Session {
    let auth: AuthServiceProtocol = SystemKeyChainAuthService()

    func signIn(with token: String) async throws {
        try await auth.saveAccessToken(token)
    }

    func signOut() async throws {
        try await auth.deleteAccessToken()
    }

    /// A service that sends the token, refreshes it when the server refuses it, and retries after failures.
    func makeService(refresh: @escaping @Sendable (AuthServiceProtocol) async throws -> Void) -> HTTPNetworkService {
        let auth = self.auth
        return HTTPNetworkService(
            transport: ReauthTransport(
                inner: RetryTransport(
                    inner: ETagTransport(), policy: RetryPolicy(maxRetries: 2, jitter: .decorrelated)),
                authService: auth,
                refreshToken: { try await refresh(auth) }
            ),
            authService: auth
        )
    }
}

/// An evaluator that refuses servers with the error cases of the modelled library.
struct ListedHostEvaluator: ServerTrustEvaluator {
    let hosts: Set<String>

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard trust.presented.count > 0 else { throw ServerTrustError.noCertificateFound }
        guard hosts.contains(host) else { throw ServerTrustError.certificatePinningFailed(host: host) }
    }
}

func makeServiceWithConfiguration(_ configuration: URLSessionConfiguration) -> HTTPNetworkService {
    let service = HTTPNetworkService(
        transport: PinningTransport(
            pinnedDomains: ["api.example.com": ListedHostEvaluator(hosts: ["api.example.com"])],
            configuration: configuration
        )
    )
    return service
}

/// A transport for previews, without a server.
func makePreviewService() -> HTTPNetworkService {
    HTTPNetworkService(
        transport: CannedRoutesTransport(routes: [
            CannedRoute(
                pattern: RequestPattern(method: .get, path: "/v1/things"),
                response: CannedResponse(string: #"["a", "b"]"#)
            )
        ])
    )
}
