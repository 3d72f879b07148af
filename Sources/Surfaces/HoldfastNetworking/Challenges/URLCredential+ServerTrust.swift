#if canImport(FoundationNetworking)
public import FoundationNetworking
public import HoldfastTrust

/// Gives `URLCredential`, and no subclass of it, the initialiser that FoundationNetworking lacks.
public protocol ServerTrustCredentialMaking {}

extension URLCredential: ServerTrustCredentialMaking {}

extension ServerTrustCredentialMaking where Self == URLCredential {
    /// A credential that accepts this chain, as a delegate's answer to a server-trust challenge.
    ///
    /// For a host without pins it takes the place of the system verification: whoever answers with it for every chain
    /// accepts an attacker's too. For a pinned host it changes nothing, see ``ServerTrustChallenge``.
    public init(trust: ServerTrust) {
        self = ServerTrustCredential(trust)
    }
}
#endif
