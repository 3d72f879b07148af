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
