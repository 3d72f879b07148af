#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
public import HoldfastTrust

/// The protection space of a TLS handshake: the URL's host and port, and the chain that the server presented.
///
/// FoundationNetworking's own class cannot store a chain, but it can be subclassed.
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

/// The authentication method of challenges about a server's certificates. FoundationNetworking declares this name but
/// marks it unavailable. This constant replaces it and has the same value as on Apple platforms.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    /// The chain that the server presented, for challenges made by Holdfast; otherwise `nil`.
    public var serverTrust: ServerTrust? { (self as? ServerTrustProtectionSpace)?.trust }
}
#endif
