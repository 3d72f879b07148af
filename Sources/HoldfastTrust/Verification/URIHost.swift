/// The host of a URI in a certificate, for name constraints.
enum URIHost {
    /// The host in lower case; `nil` if there is none, or if it is an IP address, to which RFC 5280 gives no meaning.
    static func host(of uri: [UInt8]) -> [UInt8]? {
        let text = String(decoding: uri, as: UTF8.self)
        guard let schemeEnd = text.firstRange(of: "://") else { return nil }
        var authority = text[schemeEnd.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        guard !authority.hasPrefix("[") else { return nil }
        let host = authority.prefix { $0 != ":" }.utf8.map(DNSName.lower)
        guard DNSName.isPlausible(host), !host.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return host
    }
}
