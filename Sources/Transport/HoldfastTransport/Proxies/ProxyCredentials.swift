#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A user name and a password for a proxy.
///
/// The client sends them only to the proxy, never to a server behind it. No description contains them.
public struct ProxyCredentials: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The user name.
    let user: String
    /// The password.
    let password: String

    /// Creates credentials. Creating a ``ProxyServer`` checks whether its kind of proxy can accept them: see
    /// ``ProxyServer/init(_:host:port:credentials:)``.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// A placeholder without the credentials.
    public var description: String { "<proxy credentials>" }
    /// A placeholder without the credentials.
    public var debugDescription: String { description }
    /// An empty mirror, so that reflection does not expose the credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The value of `Proxy-Authorization` (RFC 7617, 2, in UTF-8).
    var basic: String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }

    /// Throws ``ProxyError`` if a proxy of this kind cannot accept the credentials.
    func check(for kind: ProxyServer.Kind) throws(ProxyError) {
        switch kind {
        case .http, .https:
            guard !user.contains(":") else {
                throw ProxyError(
                    .credentials, "The user name contains a colon, which Basic authentication does not permit.")
            }
            guard (user + password).unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw ProxyError(.credentials, "The user name or the password contains a control character.")
            }
            guard user.utf8.count + password.utf8.count <= 4_096 else {
                throw ProxyError(.credentials, "The user name and the password together exceed 4096 bytes.")
            }
        case .socks5:
            guard (1...255).contains(user.utf8.count), (1...255).contains(password.utf8.count) else {
                throw ProxyError(
                    .credentials, "SOCKS5 requires a user name and a password of 1 to 255 bytes (RFC 1929, 2).")
            }
        }
    }
}
