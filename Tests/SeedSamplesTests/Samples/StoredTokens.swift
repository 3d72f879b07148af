import Foundation
import HoldfastNetworking
import HoldfastTrust

// What seeds/003 says in words: tokens are kept by the system, and are there again at the next launch.

struct Session {
    let auth: AuthServiceProtocol = SystemKeyChainAuthService()

    func signIn(with token: String) async throws {
        try await auth.saveAccessToken(token)
    }

    func signOut() async throws {
        try await auth.deleteAccessToken()
    }

    /// A service that uses the token, gets a new one when it is refused, and asks again after failures.
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

/// An evaluator that says no with the cases of the modelled library.
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

/// For previews: no server at all.
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
