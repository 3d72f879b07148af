#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Keeps the access token and puts it into requests.
public protocol AuthServiceProtocol: Sendable {
    /// The header field that carries the token; `Authorization` by default. It is a credential on every redirect: the transports of
    /// this module never send it to another origin than the request's own.
    var headerField: String { get }
    /// What stands before the token in the field; `Bearer ` by default.
    var headerValuePrefix: String { get }
    /// The token's name in the store; `accessToken` by default.
    var keyChainKey: String { get }
    /// Where the token is kept.
    var keyChainStore: any KeyChainStoreProtocol { get }

    /// The token, if there is one.
    func loadAccessToken() async throws -> String?
    /// Keeps a token.
    func saveAccessToken(_ token: String) async throws
    /// The request with the token in it; as it is where there is none.
    func authorize(_ request: URLRequest) async throws -> URLRequest
    /// Forgets the token.
    func deleteAccessToken() async throws
}

extension AuthServiceProtocol {
    public var headerField: String { "Authorization" }
    public var headerValuePrefix: String { "Bearer " }
    public var keyChainKey: String { "accessToken" }

    public func loadAccessToken() async throws -> String? {
        try await keyChainStore.value(forKey: keyChainKey)
    }

    public func saveAccessToken(_ token: String) async throws {
        try await keyChainStore.save(token, forKey: keyChainKey)
    }

    public func authorize(_ request: URLRequest) async throws -> URLRequest {
        guard let token = try await loadAccessToken() else { return request }
        var request = request
        request.setValue(headerValuePrefix + token, forHTTPHeaderField: headerField)
        return request
    }

    public func deleteAccessToken() async throws {
        try await keyChainStore.deleteValue(forKey: keyChainKey)
    }
}

/// Keeps the access token in memory, for as long as the process lives.
public struct InMemoryAuthService: AuthServiceProtocol {
    public let keyChainStore: any KeyChainStoreProtocol

    /// Makes a service without a token.
    public init() {
        self.keyChainStore = InMemoryKeyChainStore()
    }
}

/// Keeps the access token in the system's key chain, or in sealed files where there is none: see ``SystemKeyChainStore``. The
/// token is there again when the process is.
public struct SystemKeyChainAuthService: AuthServiceProtocol {
    public let keyChainStore: any KeyChainStoreProtocol

    /// Uses the store of the running program. Nothing is read before the first request that needs the token.
    public init() {
        self.init(keyChainStore: SystemKeyChainStore())
    }

    /// Uses another store: that of another service, with files elsewhere, of the Secret Service.
    public init(keyChainStore: any KeyChainStoreProtocol) {
        self.keyChainStore = keyChainStore
    }
}
