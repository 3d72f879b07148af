#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
public import HoldfastTrust

/// What a delegate answers when it accepts a chain: the chain itself, and nothing that could be sent to a server.
final class ServerTrustCredential: URLCredential, @unchecked Sendable {  // reason: immutable
    let trust: ServerTrust

    init(_ trust: ServerTrust) {
        self.trust = trust
        super.init(user: "", password: "", persistence: .none)
    }

    /// A chain is accepted for one connection, and is not kept.
    required init?(coder: NSCoder) { nil }

    override var user: String? { nil }
    override var password: String? { nil }
    override var hasPassword: Bool { false }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? ServerTrustCredential)?.trust == trust
    }

    override var hash: Int { trust.hashValue }
}

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
