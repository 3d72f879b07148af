import HTTPTypes
import HoldfastTrust

/// The names by which a server may be asked for.
///
/// A page in a browser on this machine reaches loopback too, and under a name of its own that it has let point here (DNS
/// rebinding) it counts as the server's own page: neither `Origin` nor the peer's address shows it. Its `Host` does.
struct AllowedHosts: Sendable {
    /// `nil`: any. Other machines know the server by names that it has not heard of.
    private let names: Set<String>?

    /// An identity that comes without its authority has names that are not looked up here. TLS holds clients to them: no page
    /// is loaded under a name that the certificate does not have.
    init(of configuration: ChatDevServerConfiguration) {
        if configuration.tls != nil, configuration.authority == nil {
            self.init(names: nil)
        } else {
            self.init(listening: configuration.host, certificate: configuration.authority?.host)
        }
    }

    /// - Parameters:
    ///   - listening: The address that the server listens on.
    ///   - certificate: The name in its certificate.
    init(listening: String, certificate: String?) {
        guard (try? CanonicalHost(listening))?.isLoopback == true else {
            self.init(names: nil)
            return
        }
        self.init(names: Set([certificate].compactMap { $0.flatMap { try? CanonicalHost($0) }?.text }))
    }

    private init(names: Set<String>?) {
        self.names = names
    }

    /// Whether a request may name the server like this, by `Host` or its authority: as this machine, by an address, which
    /// no name server can bend, or by the certificate's name.
    ///
    /// - Parameter headers: The request's fields. The first `Host` is the authority; a second one among them is refused (RFC 9112, 3.2).
    func include(_ authority: String?, _ headers: HTTPFields = [:]) -> Bool {
        guard !HostField.isRepeated(among: headers.lazy.map(\.name.rawName)) else { return false }
        guard let names else { return true }
        guard let host = authority.flatMap({ HostField($0)?.host }) else { return false }
        return host.isLoopback || host.isIPLiteral || names.contains(host.text)
    }
}
