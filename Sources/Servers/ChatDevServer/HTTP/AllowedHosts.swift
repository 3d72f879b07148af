import HTTPTypes
import HoldfastTrust

/// The host names that requests may use.
///
/// A web page in a browser on this machine can reach loopback under its own host name if that name resolves to a
/// loopback address (DNS rebinding). It then counts as same-origin, and neither `Origin` nor the peer's address shows
/// the attack. The `Host` field does.
struct AllowedHosts: Sendable {
    /// The allowed names; `nil` allows all. On other machines, the server may have names that it does not know.
    private let names: Set<String>?

    /// If an identity comes without its authority, its certificate's names are not known here. TLS still binds clients
    /// to them: no page loads under a name that the certificate does not contain.
    init(of configuration: ChatDevServerConfiguration) {
        self.init(
            listening: configuration.host, certificate: configuration.authority?.host,
            allowsAll: configuration.tls != nil && configuration.authority == nil)
    }

    /// Creates the set of allowed names.
    ///
    /// - Parameters:
    ///   - listening: The address that the server listens on.
    ///   - certificate: The name in its certificate.
    ///   - allowsAll: Whether all names are allowed.
    init(listening: String, certificate: String?, allowsAll: Bool = false) {
        let isLoopback = (try? CanonicalHost(listening))?.isLoopback == true
        let known = certificate.flatMap { try? CanonicalHost($0) }
        names = isLoopback && !allowsAll ? Set([known?.text].compactMap(\.self)) : nil
    }

    /// Returns whether a request may use this name, in `Host` or its authority: a loopback name, an IP address (which
    /// DNS cannot rebind) or the certificate's name.
    ///
    /// - Parameter headers: The request's fields. The first `Host` of HTTP/1.1 is the authority. A second one
    ///   (RFC 9112, section 3.2), and any over HTTP/2, is refused.
    func include(_ authority: String?, _ headers: HTTPFields = [:]) -> Bool {
        guard !HostField.isRepeated(among: headers.lazy.map(\.name.rawName)) else { return false }
        guard let names else { return true }
        guard let host = authority.flatMap({ HostField($0)?.host }) else { return false }
        return host.isLoopback || host.isIPLiteral || names.contains(host.text)
    }
}
