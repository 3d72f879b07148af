public import HoldfastTrust

/// The address to connect to for a single request, in place of the URL's host and port.
///
/// Only the socket's destination changes. The `Host` field, the server name in TLS, the verified names and the pins are
/// those of the URL's host, as without an address. Set it in ``RequestOptions/address``.
public struct ConnectAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host to connect to: an IP address or a name.
    public let host: CanonicalHost
    /// The TCP port to connect to; `nil` for the port of the URL.
    public let port: UInt16?

    /// Parses an address: `192.0.2.7`, `192.0.2.7:8443`, `2001:db8::7`, `[2001:db8::7]:8443`, `replica-3.example.com`
    /// or `replica-3.example.com:8443`. Without brackets, an IPv6 address has no port.
    ///
    /// - Throws: ``ConnectAddressError`` if the host has no canonical form, or the port is not a number from 1 to
    ///   65535.
    public init(_ text: String) throws(ConnectAddressError) {
        let (name, digits) = try Self.split(text)
        do throws(HostError) {
            host = try CanonicalHost(String(name))
        } catch {
            throw ConnectAddressError(.host, "The host of the address cannot be used: \(error.reason)")
        }
        guard let digits else {
            port = nil
            return
        }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0 else {
            throw ConnectAddressError(.port, "The port of the address is not a number from 1 to 65535.")
        }
        port = number
    }

    /// The host, with the port if there is one. An IPv6 address with a port has brackets.
    public var description: String {
        guard let port else { return host.text }
        return ProxyServer.authority(host, port)
    }

    private static func split(_ text: String) throws(ConnectAddressError) -> (name: Substring, digits: Substring?) {
        if let bracket = text.lastIndex(of: "]") {
            let after = text[text.index(after: bracket)...]
            guard after.isEmpty || after.first == ":" else {
                throw ConnectAddressError(.host, "The address has text between the bracket and the port.")
            }
            return (text[...bracket], after.isEmpty ? nil : after.dropFirst())
        }
        guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else {
            // Several colons without brackets: an IPv6 address without a port.
            return (text[...], nil)
        }
        return (text[..<colon], text[text.index(after: colon)...])
    }
}

/// The reason why the text of a ``ConnectAddress`` cannot be used. No connection was attempted.
///
/// - Remedy: Correct the address: `HOST:PORT`.
public struct ConnectAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure, safe as a metric label.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The host is empty or has no canonical form.
        public static let host = Code(rawValue: "host")
        /// The port is not a number from 1 to 65535.
        public static let port = Code(rawValue: "port")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
