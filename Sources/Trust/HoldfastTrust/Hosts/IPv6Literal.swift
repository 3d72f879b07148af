/// An IPv6 address in text form (RFC 4291, 2.2; RFC 5952).
struct IPv6Literal: Hashable, Sendable {
    /// Eight groups, the first one first.
    let groups: [UInt16]

    /// Reads an address with or without brackets.
    init(_ spelling: String) throws(HostFlaw) {
        var text = spelling[...]
        if text.first == "[" {
            guard text.last == "]", text.count > 2 else {
                throw HostFlaw(.invalidIPv6, "has an opening bracket without an address and a closing one")
            }
            text = text.dropFirst().dropLast()
        }
        guard !text.utf8.contains(UInt8(ascii: "%")) else {
            throw HostFlaw(.zoneIdentifier, "has a zone, which has a meaning on one machine alone")
        }
        guard let groups = Self.groups(of: text) else {
            throw HostFlaw(
                .invalidIPv6, "has a bracket or a colon and is no IPv6 address; a port is not part of a host")
        }
        self.groups = groups
    }

    /// Sixteen bytes in network order.
    var bytes: [UInt8] { groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } }

    /// The IPv4 address of an IPv4-mapped one (`::ffff:192.0.2.1`; RFC 4291, 2.5.5.2).
    var mappedIPv4: IPv4Literal? {
        guard groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xffff else { return nil }
        return IPv4Literal(bytes: Array(bytes.suffix(4)))
    }

    private static func groups(of text: Substring) -> [UInt16]? {
        guard let gap = text.firstRange(of: "::") else {
            return plainGroups(text, mayEndInIPv4: true).flatMap { $0.count == 8 ? $0 : nil }
        }
        guard let head = plainGroups(text[..<gap.lowerBound], mayEndInIPv4: false),
            let tail = plainGroups(text[gap.upperBound...], mayEndInIPv4: true), head.count + tail.count < 8
        else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func plainGroups(_ text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        if text.isEmpty { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
                guard let quad = dottedQuad(part) else { return nil }
                groups += [UInt16(quad[0]) << 8 | UInt16(quad[1]), UInt16(quad[2]) << 8 | UInt16(quad[3])]
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexadecimal),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    /// Four decimal bytes without leading zeros: here nobody reads octal, so nobody may write it.
    private static func dottedQuad(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part -> UInt8? in
            guard part.utf8.allSatisfy(isDecimal), part == "0" || !part.hasPrefix("0") else { return nil }
            return UInt8(part)
        }
        return bytes.count == 4 ? bytes : nil
    }

    private static func isDecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDecimal(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }
}
