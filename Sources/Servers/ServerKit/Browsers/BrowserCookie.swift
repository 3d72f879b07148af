package import HTTPTypes

/// A cookie with a secret of a server, such as that of a session. The value consists of hexadecimal digits.
package struct BrowserCookie: Hashable, Sendable {
    /// The maximum length of a value in bytes. A longer one counts as missing.
    private static let maximumBytes = 128

    /// The cookie's name.
    ///
    /// A cookie belongs to a host, not to a port (RFC 6265, 8.5). With the port in the name, servers on one host do not
    /// overwrite each other's cookies.
    package let name: String
    private let path: String
    private let isSecure: Bool

    /// Creates the description of a cookie.
    ///
    /// With TLS and for the whole host, the prefix of the name makes browsers refuse the cookie from any other host and
    /// without TLS (RFC 6265bis, 4.1.3.2).
    ///
    /// - Parameters:
    ///   - name: The name without prefix and port.
    ///   - origin: The server's origin in the request.
    ///   - path: The path below which the browser sends the cookie.
    package init(_ name: String, _ origin: WebOrigin, path: String = "/") {
        self.name = (origin.isSecure && path == "/" ? "__Host-" : "") + "\(name)-\(origin.port)"
        self.path = path
        isSecure = origin.isSecure
    }

    /// Returns the value of a `Set-Cookie` field. It has no `Expires`, so that the browser forgets it at its end.
    package func setting(_ value: String) -> String {
        "\(name)=\(value); Path=\(path); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// The value of a `Set-Cookie` field that removes the cookie.
    package var removal: String { setting("") + "; Max-Age=0" }

    /// Returns the cookie's value in a request; `nil` if it is missing, or contains other characters than hexadecimal
    /// digits. Returns `nil` if there are several with different values: another host may have set one of them.
    package func value(in fields: HTTPFields) -> String? {
        var found: Substring?
        for line in fields[values: .cookie] {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { continue }
                let value = pair[pair.index(after: equals)...]
                guard found == nil || found == value else { return nil }
                found = value
            }
        }
        guard let found, (1...Self.maximumBytes).contains(found.utf8.count),
            found.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return String(found)
    }
}
