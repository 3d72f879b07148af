/// IP addresses as text.
enum IPAddressText {
    /// Dotted decimal for four bytes, RFC 5952 for sixteen; `nil` for any other count.
    static func text(of bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: return bytes.map(String.init).joined(separator: ".")
        case 16: return ipv6(bytes)
        default: return nil
        }
    }

    private static func ipv6(_ bytes: [UInt8]) -> String {
        let groups = (0..<8).map { UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1]) }
        // The first of the longest runs of at least two zero groups is left out (RFC 5952, 4.2).
        var best = 0..<0
        var start: Int?
        for index in 0...8 {
            if index < 8, groups[index] == 0 {
                start = start ?? index
            } else if let from = start {
                if index - from > max(best.count, 1) { best = from..<index }
                start = nil
            }
        }
        func joined(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !best.isEmpty else { return joined(0..<8) }
        return joined(0..<best.lowerBound) + "::" + joined(best.upperBound..<8)
    }
}
