#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Stores the access token and adds it to requests.
public protocol AuthServiceProtocol: Sendable {
    /// The header field that carries the token; `Authorization` by default. The transports of this module treat it as a
    /// credential: a redirect to another origin never receives it.
    var headerField: String { get }
    /// The text before the token in the field; `Bearer ` by default.
    var headerValuePrefix: String { get }
    /// The name of the token in the store; `accessToken` by default.
    var keyChainKey: String { get }
    /// The store that keeps the token.
    var keyChainStore: any KeyChainStoreProtocol { get }

    /// Returns the token, or `nil` if there is none.
    func loadAccessToken() async throws -> String?
    /// Stores a token.
    func saveAccessToken(_ token: String) async throws
    /// Returns the request with the token, or unchanged if there is none.
    func authorize(_ request: URLRequest) async throws -> URLRequest
    /// Deletes the token.
    func deleteAccessToken() async throws
}

extension AuthServiceProtocol {
    /// The default field, `Authorization`.
    public var headerField: String { "Authorization" }
    /// The default prefix, `Bearer `.
    public var headerValuePrefix: String { "Bearer " }
    /// The default name, `accessToken`.
    public var keyChainKey: String { "accessToken" }

    /// Returns the token in ``keyChainStore``, or `nil` if there is none. Throws the store's error.
    public func loadAccessToken() async throws -> String? {
        try await keyChainStore.value(forKey: keyChainKey)
    }

    /// Stores a token in ``keyChainStore``. Throws the store's error.
    public func saveAccessToken(_ token: String) async throws {
        try await keyChainStore.save(token, forKey: keyChainKey)
    }

    /// Returns the request with the stored token, or unchanged if there is none. Throws the store's error.
    public func authorize(_ request: URLRequest) async throws -> URLRequest {
        guard let token = try await loadAccessToken() else { return request }
        var request = request
        request.setValue(headerValuePrefix + token, forHTTPHeaderField: headerField)
        return request
    }

    /// Deletes the token in ``keyChainStore``. Throws the store's error.
    public func deleteAccessToken() async throws {
        try await keyChainStore.deleteValue(forKey: keyChainKey)
    }
}

/// An auth service that keeps the access token in memory while the process runs.
public struct InMemoryAuthService: AuthServiceProtocol {
    /// The store in memory.
    public let keyChainStore: any KeyChainStoreProtocol

    /// Makes a service without a token.
    public init() {
        self.keyChainStore = InMemoryKeyChainStore()
    }
}

/// An auth service that keeps the access token across launches, in the system's key chain or in sealed files. See
/// ``SystemKeyChainStore``.
public struct SystemKeyChainAuthService: AuthServiceProtocol {
    /// The store that keeps the token.
    public let keyChainStore: any KeyChainStoreProtocol

    /// Makes a service with the running program's default store. The store is not read before a request needs the
    /// token.
    public init() {
        self.init(keyChainStore: SystemKeyChainStore())
    }

    /// Makes a service with another store, such as one for another service name, other files or the Secret Service.
    public init(keyChainStore: any KeyChainStoreProtocol) {
        self.keyChainStore = keyChainStore
    }
}
