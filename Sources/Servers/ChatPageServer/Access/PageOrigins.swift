import HTTPTypes
import HoldfastTrust
import ServerKit

/// The origins under which browsers may reach the server.
///
/// A web page can reach a server on loopback under its own host name if that name resolves to a loopback address (DNS
/// rebinding). Such a page is of the same origin as the server, so that only the `Host` field shows the attack.
struct PageOrigins: Sendable {
    private let listed: [WebOrigin]
    private let isSecure: Bool

    /// Allows only these origins, or without any, the loopback names and addresses.
    ///
    /// - Parameter isSecure: Whether the server itself uses TLS. Decides only without listed origins.
    init(listed: [WebOrigin], isSecure: Bool) {
        self.listed = listed
        self.isSecure = isSecure
    }

    /// Returns the origin of a request; `nil` if the server does not serve it.
    ///
    /// - Parameters:
    ///   - authority: The first `Host` field.
    ///   - fields: The other fields. A second `Host` is refused (RFC 9112, 3.2).
    func origin(of authority: String?, _ fields: HTTPFields = [:]) -> WebOrigin? {
        guard !HostField.isRepeated(among: fields.lazy.map(\.name.rawName)) else { return nil }
        guard let field = authority.flatMap({ HostField($0) }) else { return nil }
        guard listed.isEmpty else {
            return listed.first { $0.host == field.host && $0.port == field.port ?? ($0.isSecure ? 443 : 80) }
        }
        // Another port is a forwarded one, as of a container.
        guard field.host.isLoopback else { return nil }
        return WebOrigin(isSecure: isSecure, host: field.host, port: field.port ?? (isSecure ? 443 : 80))
    }
}
