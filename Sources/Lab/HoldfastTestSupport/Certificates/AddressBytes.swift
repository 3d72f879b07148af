/// Reads the usual text forms of IP addresses. Kept apart from Holdfast's own host parser so that a mistake there
/// cannot hide in the certificates that test it.
enum AddressBytes {
    /// Four or sixteen bytes in network order; `nil` for anything else. Understands dotted quads and `::`.
    static func parse(_ text: String) -> [UInt8]? {
        text.contains(":") ? ipv6(text) : ipv4(text)
    }

    private static func ipv4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let bytes = parts.compactMap(\.self)
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func ipv6(_ text: String) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            return groups(text).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
            head.count + tail.count <= 14
        else { return nil }
        return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: some StringProtocol) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            if part.contains(".") {
                guard let quad = ipv4(part) else { return nil }
                bytes += quad
            } else {
                guard let group = UInt16(part, radix: 16) else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xff)]
            }
        }
        return bytes
    }
}
