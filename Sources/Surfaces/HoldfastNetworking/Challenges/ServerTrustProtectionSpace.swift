#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTrust

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

    override var hash: Int {
        var hasher = Hasher()
        hasher.combine(trust)
        hasher.combine(host)
        hasher.combine(port)
        return hasher.finalize()
    }
}
#endif
