/// IP addresses as text.
enum IPAddressText {
    /// Dotted decimal for four bytes, RFC 5952 for sixteen; `nil` for any other count.
    static func text(of bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: ipv4(bytes)
        case 16: ipv6((0..<8).map { UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1]) })
        default: nil
        }
    }

    /// Dotted decimal.
    static func ipv4(_ bytes: [UInt8]) -> String {
        bytes.map(String.init).joined(separator: ".")
    }

    /// The shortest form of eight groups: the first of the longest runs of at least two zero groups becomes `::`
    /// (RFC 5952, 4.2).
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
