/// An IPv4 address as hosts of URLs spell it: by the IPv4 parser of the WHATWG URL standard, which takes what
/// `getaddrinfo` takes (`0x7f.1`, `2130706433`, `0177.0.0.1`).
struct IPv4Literal: Hashable, Sendable {
    /// Four bytes in network order.
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether labels in lower case must be an address: the last one is a number.
    static func isExpected(_ labels: [String]) -> Bool {
        guard let last = labels.last else { return false }
        return last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || (last.hasPrefix("0x") && number(last) != nil)
    }

    /// Reads labels of which the last is a number.
    init(_ labels: [String]) throws(HostFlaw) {
        let flaw = HostFlaw(.invalidIPv4, "ends in a number like an IPv4 address, and is none")
        guard (1...4).contains(labels.count) else { throw flaw }
        var numbers: [UInt64] = []
        for label in labels {
            guard let number = Self.number(label) else { throw flaw }
            numbers.append(number)
        }
        let last = numbers.removeLast()
        // Every number but the last is one byte; the last one fills all bytes that are left.
        guard numbers.allSatisfy({ $0 <= 0xff }), last < 1 << UInt64(8 * (4 - numbers.count)) else { throw flaw }
        let tail = (0..<(4 - numbers.count)).reversed().map { UInt8(truncatingIfNeeded: last >> UInt64(8 * $0)) }
        self.bytes = numbers.map { UInt8(truncatingIfNeeded: $0) } + tail
    }

    /// Hexadecimal after `0x`, octal after `0`, else decimal; `nil` for other characters. A number too large for 64 bits
    /// is one all the same, and too large for any place: the label must not become a name for it.
    private static func number(_ label: String) -> UInt64? {
        if label.hasPrefix("0x") { return unsigned(label.dropFirst(2), radix: 16) }
        if label.hasPrefix("0") { return unsigned(label.dropFirst(), radix: 8) }
        return label.isEmpty ? nil : unsigned(label[...], radix: 10)
    }

    /// Digits without a sign; no digits are 0.
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
