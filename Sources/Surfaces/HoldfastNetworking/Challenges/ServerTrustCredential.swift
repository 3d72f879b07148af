#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
public import HoldfastTrust

/// A credential that accepts a chain. It contains nothing that could be sent to a server.
final class ServerTrustCredential: URLCredential, @unchecked Sendable {  // reason: immutable
    let trust: ServerTrust

    init(_ trust: ServerTrust) {
        self.trust = trust
        super.init(user: "", password: "", persistence: .none)
    }

    /// A credential accepts a chain for one connection only and cannot be archived.
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

/// Adds the initializer that FoundationNetworking lacks to `URLCredential`, but not to its subclasses.
public protocol ServerTrustCredentialMaking {}

extension URLCredential: ServerTrustCredentialMaking {}

extension ServerTrustCredentialMaking where Self == URLCredential {
    /// Makes a credential that accepts this chain, as an answer to a server-trust challenge.
    ///
    /// For a host without pins, the credential replaces the system verification. A delegate that answers with it for
    /// every chain also accepts an attacker's. For a pinned host, it cannot override the pins; see
    /// ``ServerTrustChallenge``.
    public init(trust: ServerTrust) {
        self = ServerTrustCredential(trust)
    }
}
#endif
