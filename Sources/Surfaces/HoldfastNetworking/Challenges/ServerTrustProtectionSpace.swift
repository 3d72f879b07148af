#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
public import HoldfastTrust

/// The protection space of a TLS handshake: host and port from the URL, and the chain that the server presented.
///
/// FoundationNetworking's own class has no place for a chain, but it can be subclassed.
final class ServerTrustProtectionSpace: URLProtectionSpace, @unchecked Sendable {  // reason: immutable
    let trust: ServerTrust

    init(_ trust: ServerTrust, for subject: TrustSubject) {
        self.trust = trust
        super.init(
            host: subject.host.text, port: Int(subject.port ?? 443), protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodServerTrust)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ServerTrustProtectionSpace else { return false }
        return other.trust == trust && other.host == host && other.port == port
    }

    override var hash: Int { trust.hashValue }
}

/// The authentication method of challenges about a server's certificates. FoundationNetworking has the name but marks it
/// unavailable; this one, of the same value as on Apple platforms, is found in its stead.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    /// The chain that the server presented, in a challenge that Holdfast made; `nil` for every other protection space.
    public var serverTrust: ServerTrust? { (self as? ServerTrustProtectionSpace)?.trust }
}
#endif
