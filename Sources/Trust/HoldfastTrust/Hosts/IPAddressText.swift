/// Formats IP addresses as text.
enum IPAddressText {
    /// Returns four bytes in dotted decimal form, sixteen bytes according to RFC 5952, or `nil` for any other count.
    static func text(of bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: ipv4(bytes)
        case 16: ipv6((0..<8).map { UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1]) })
        default: nil
        }
    }

    /// Returns an IPv4 address in dotted decimal form.
    static func ipv4(_ bytes: [UInt8]) -> String {
        bytes.map(String.init).joined(separator: ".")
    }

    /// Returns the shortest form of eight groups: the first of the longest runs of at least two zero groups becomes
    /// `::` (RFC 5952, 4.2).
    static func ipv6(_ groups: [UInt16]) -> String {
        var (longest, start) = (0..<1, 0)
        while start < groups.count {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
            if end - start > longest.count { longest = start..<end }
            start = end + 1
        }
        func joined(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard longest.count > 1 else { return joined(groups[...]) }
        return joined(groups[..<longest.lowerBound]) + "::" + joined(groups[longest.upperBound...])
    }
}

/// An IPv4 address in a URL host, according to the IPv4 parser of the WHATWG URL standard. It accepts the forms that
/// `getaddrinfo` accepts (`0x7f.1`, `2130706433`, `0177.0.0.1`).
struct IPv4Literal: Hashable, Sendable {
    /// Four bytes in network order.
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns whether lower-case labels must be an IPv4 address, because the last label is a number.
    static func isExpected(_ labels: [String]) -> Bool {
        guard let last = labels.last else { return false }
        return last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || (last.hasPrefix("0x") && number(last) != nil)
    }

    /// Parses labels of which the last is a number.
    init(_ labels: [String]) throws(HostFlaw) {
        let flaw = HostFlaw(.invalidIPv4, "ends in a number, but is not a valid IPv4 address")
        guard (1...4).contains(labels.count) else { throw flaw }
        var numbers: [UInt64] = []
        for label in labels {
            guard let number = Self.number(label) else { throw flaw }
            numbers.append(number)
        }
        let last = numbers.removeLast()
        // Every number except the last is one byte. The last one fills the remaining bytes.
        guard numbers.allSatisfy({ $0 <= 0xff }), last < 1 << UInt64(8 * (4 - numbers.count)) else { throw flaw }
        let tail = (0..<(4 - numbers.count)).reversed().map { UInt8(truncatingIfNeeded: last >> UInt64(8 * $0)) }
        self.bytes = numbers.map { UInt8(truncatingIfNeeded: $0) } + tail
    }

    /// Returns the value of a label: hexadecimal after `0x`, octal after `0`, otherwise decimal. Returns `nil` if the
    /// label has other characters. A number that exceeds 64 bits is returned as a value that is too large, so that the
    /// label is not read as a name.
    private static func number(_ label: String) -> UInt64? {
        if label.hasPrefix("0x") { return unsigned(label.dropFirst(2), radix: 16) }
        if label.hasPrefix("0") { return unsigned(label.dropFirst(), radix: 8) }
        return label.isEmpty ? nil : unsigned(label[...], radix: 10)
    }

    /// Returns the value of digits without a sign. No digits are 0.
    private static func unsigned(_ digits: Substring, radix: UInt64) -> UInt64? {
        var value: UInt64 = 0
        for character in digits {
            guard let digit = character.hexDigitValue.map(UInt64.init), digit < radix else { return nil }
            let (product, productOverflow) = value.multipliedReportingOverflow(by: radix)
            let (sum, sumOverflow) = product.addingReportingOverflow(digit)
            value = productOverflow || sumOverflow ? .max : sum
        }
        return value
    }
}

/// An IPv6 address as text (RFC 4291, 2.2; RFC 5952).
struct IPv6Literal: Hashable, Sendable {
    /// The eight groups in order.
    let groups: [UInt16]

    /// Parses an address with or without brackets.
    init(_ spelling: String) throws(HostFlaw) {
        var text = spelling[...]
        if text.first == "[" {
            guard text.last == "]", text.count > 2 else {
                throw HostFlaw(.invalidIPv6, "has an unmatched bracket or no address in brackets")
            }
            text = text.dropFirst().dropLast()
        }
        guard !text.utf8.contains(UInt8(ascii: "%")) else {
            throw HostFlaw(.zoneIdentifier, "has a zone, which has a meaning only on one machine")
        }
        guard let groups = Self.groups(of: text) else {
            throw HostFlaw(
                .invalidIPv6, "has a bracket or a colon, but is not a valid IPv6 address; a port is not part of a host")
        }
        self.groups = groups
    }

    /// Sixteen bytes in network order.
    var bytes: [UInt8] { groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } }

    /// The IPv4 address in an IPv4-mapped address (`::ffff:192.0.2.1`; RFC 4291, 2.5.5.2), or `nil`.
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
                guard (1...4).contains(part.utf8.count), part.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    /// Parses four decimal bytes. Leading zeros are refused, because octal notation is not supported here.
    private static func dottedQuad(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part -> UInt8? in
            let isDecimal = part.allSatisfy { $0.isASCII && $0.isWholeNumber }
            return isDecimal && (part == "0" || !part.hasPrefix("0")) ? UInt8(part) : nil
        }
        return bytes.count == 4 ? bytes : nil
    }
}
