/// The host of a URI in a certificate, for name constraints.
enum URIHost {
    /// The host in lower case; `nil` if there is none, or if it is an IP address, to which RFC 5280 gives no meaning.
    static func host(of uri: ArraySlice<UInt8>) -> [UInt8]? {
        guard let scheme = uri.firstRange(of: [0x3A, 0x2F, 0x2F]) else { return nil }
        var authority = uri[scheme.upperBound...].prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        guard authority.first != UInt8(ascii: "[") else { return nil }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }.map(DNSName.lower)
        guard DNSName.isPlausible(host), !host.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return host
    }
}
