/// Keeps the access token in memory, for as long as the process lives.
public struct InMemoryAuthService: AuthServiceProtocol {
    public let keyChainStore: any KeyChainStoreProtocol

    /// Makes a service without a token.
    public init() {
        self.keyChainStore = InMemoryKeyChainStore()
    }
}
