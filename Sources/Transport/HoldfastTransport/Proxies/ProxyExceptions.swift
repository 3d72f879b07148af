public import HoldfastTrust

/// The hosts that are reached without a proxy, as in a `NO_PROXY` list.
///
/// Entries are separated by commas or white space:
///
/// | entry | reached directly |
/// |---|---|
/// | `*` | every host |
/// | `example.com` | the host and every host below it |
/// | `.example.com`, `*.example.com` | every host below it, not itself |
/// | `192.0.2.7`, `2001:db8::7`, `[2001:db8::7]` | this address |
/// | `10.0.0.0/8`, `fd00::/8` | the addresses of this network |
/// | any of these but `*` and networks, followed by `:8443` (IPv6 in brackets) | the same, only on this port |
///
/// Names are not resolved: an address in the list matches only an address in a URL.
public struct ProxyExceptions: Hashable, Sendable {
    private enum Rule: Hashable, Sendable {
        case all
        case domain(String, includesItself: Bool)
        case network([UInt8], bits: Int)
    }

    private struct Entry: Hashable, Sendable {
        var rule: Rule
        var port: UInt16?
    }

    /// No exceptions.
    public static let none = ProxyExceptions()

    private var entries: [Entry] = []

    private init() {}

    /// Parses a list.
    ///
    /// - Throws: ``ProxyError`` at the first invalid entry. Ignoring an unknown rule could silently send connections
    ///   through or around the proxy.
    public init(_ list: String) throws(ProxyError) {
        for text in list.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            entries.append(try Self.entry(text))
        }
    }

    /// Returns whether a host is reached without the proxy.
    public func contains(_ host: CanonicalHost, port: UInt16) -> Bool {
        entries.contains { entry in
            if let own = entry.port, own != port { return false }
            switch (entry.rule, host.kind) {
            case (.all, _): return true
            case (.domain(let name, let includesItself), .name):
                return (includesItself && host.text == name) || host.text.hasSuffix("." + name)
            case (.network(let network, let bits), .ipv4(let address)),
                (.network(let network, let bits), .ipv6(let address)):
                return Self.matches(address, network, bits)
            case (.domain, _), (.network, .name): return false
            }
        }
    }

    private static func matches(_ address: [UInt8], _ network: [UInt8], _ bits: Int) -> Bool {
        guard address.count == network.count else { return false }
        return zip(address, network).enumerated().allSatisfy { index, pair in
            let wanted = max(0, min(8, bits - index * 8))
            let mask = wanted == 0 ? 0 : UInt8(truncatingIfNeeded: 0xFF << (8 - wanted))
            return pair.0 & mask == pair.1 & mask
        }
    }

    private static func entry(_ text: Substring) throws(ProxyError) -> Entry {
        if text == "*" { return Entry(rule: .all) }
        if let slash = text.firstIndex(of: "/") {
            let address = bytes(of: try host(text[..<slash], in: text))
            let digits = text[text.index(after: slash)...]
            guard let address, (1...3).contains(digits.utf8.count),
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(digits),
                bits <= address.count * 8
            else { throw invalid(text) }
            return Entry(rule: .network(address, bits: bits))
        }
        var name = text
        var port: UInt16?
        let after = text.lastIndex(of: "]").map(text.index(after:)) ?? text.startIndex
        // More than one colon outside of brackets indicates an IPv6 address.
        if let colon = text[after...].lastIndex(of: ":"), !text[after..<colon].contains(":") {
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy(\.isDigit), let number = UInt16(digits), number > 0 else {
                throw invalid(text)
            }
            port = number
            name = text[..<colon]
        }
        var includesItself = true
        if name.hasPrefix("*.") {
            name = name.dropFirst(2)
            includesItself = false
        } else if name.hasPrefix(".") {
            name = name.dropFirst()
            includesItself = false
        }
        let host = try host(name, in: text)
        if let address = bytes(of: host) {
            guard includesItself else { throw invalid(text) }
            return Entry(rule: .network(address, bits: address.count * 8), port: port)
        }
        return Entry(rule: .domain(host.text, includesItself: includesItself), port: port)
    }

    private static func host(_ text: Substring, in entry: Substring) throws(ProxyError) -> CanonicalHost {
        guard let host = try? CanonicalHost(String(text)) else { throw invalid(entry) }
        return host
    }

    private static func bytes(of host: CanonicalHost) -> [UInt8]? {
        switch host.kind {
        case .name: nil
        case .ipv4(let bytes), .ipv6(let bytes): bytes
        }
    }

    private static func invalid(_ entry: Substring) -> ProxyError {
        ProxyError(
            .exception,
            "The entry \(String(entry.prefix(100)).debugDescription) is not a host, domain, address or network.")
    }
}
