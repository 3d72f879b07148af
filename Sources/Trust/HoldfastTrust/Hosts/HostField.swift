/// The value of a request's `Host` field, parsed strictly (RFC 9110, 7.2; RFC 3986, 3.2.2).
///
/// Accepts a host of letters, digits, hyphens, underscores and dots, or an IPv6 address in brackets, with an optional
/// port from 1 to 65535. Refuses everything else: user information, paths, percent-encoding, and ambiguous values that
/// two parsers could read as different hosts.
package struct HostField: Hashable, Sendable {
    /// The host in canonical form.
    package let host: CanonicalHost
    /// The port, or `nil` if the field does not name one.
    package let port: UInt16?

    /// Parses a value. Returns `nil` if it is not a host with an optional port.
    package init?(_ value: String) {
        let bytes = Array(value.utf8)
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")),
                bytes[1..<bracket].allSatisfy(Self.isAddressCharacter)
            else { return nil }
            end = bracket + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard bytes[..<end].allSatisfy(Self.isNameCharacter) else { return nil }
        }
        if end < bytes.endIndex {
            let digits = bytes[(end + 1)...]
            guard bytes[end] == UInt8(ascii: ":"), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
            else { return nil }
            self.port = port
        } else {
            port = nil
        }
        guard let host = try? CanonicalHost(String(decoding: bytes[..<end], as: UTF8.self)) else { return nil }
        self.host = host
    }

    /// Returns whether a request has more than one `Host` field, which makes it invalid (RFC 9112, 3.2).
    ///
    /// - Parameter names: The names of the request's fields without its authority, which is the first `Host` field.
    package static func isRepeated(among names: some Sequence<String>) -> Bool {
        names.contains { $0.lowercased() == "host" }
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66, UInt8(ascii: ":"), UInt8(ascii: "."): true
        default: false
        }
    }
}
