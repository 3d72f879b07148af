#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A name and a password for a proxy. Sent to it alone, never to a server behind it; no description shows them.
public struct ProxyCredentials: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The name.
    let user: String
    /// The password.
    let password: String

    /// Takes a name and a password. What a proxy of a kind cannot be told is refused when they are given to it: see
    /// ``ProxyServer/init(_:host:port:credentials:)``.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    public var description: String { "<proxy credentials>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The value of `Proxy-Authorization` (RFC 7617, 2, in UTF-8).
    var basic: String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }

    /// Refuses what the kind of proxy cannot be told.
    func check(for kind: ProxyServer.Kind) throws(ProxyError) {
        switch kind {
        case .http, .https:
            guard !user.contains(":") else {
                throw ProxyError(.credentials, "The name holds a colon, which ends a name in Basic authentication.")
            }
            guard (user + password).unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw ProxyError(.credentials, "The name or the password holds a control character.")
            }
            guard user.utf8.count + password.utf8.count <= 4_096 else {
                throw ProxyError(.credentials, "The name and the password have more than 4096 bytes.")
            }
        case .socks5:
            guard (1...255).contains(user.utf8.count), (1...255).contains(password.utf8.count) else {
                throw ProxyError(.credentials, "SOCKS5 takes a name and a password of 1 to 255 bytes (RFC 1929, 2).")
            }
        }
    }
}
