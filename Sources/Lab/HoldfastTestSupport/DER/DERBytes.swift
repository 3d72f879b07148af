/// Writes DER by hand, so that tests can mint what a careful library refuses to write.
///
/// Every function returns the bytes of one complete element.
package enum DERBytes {
    /// One element: a tag byte, the length, the contents.
    package static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [tag] + length(contents.count) + contents
    }

    package static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, joined(elements)) }

    package static func set(_ elements: [[UInt8]]) -> [UInt8] { element(0x31, joined(elements)) }

    package static func octetString(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    /// A BIT STRING of whole bytes.
    package static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// A BIT STRING with named bits, bit 0 first, without trailing zero bits (X.690, 11.2.2).
    package static func namedBits(_ bits: [Int]) -> [UInt8] {
        guard let last = bits.max() else { return element(0x03, [0]) }
        var bytes = [UInt8](repeating: 0, count: last / 8 + 1)
        for bit in bits { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return element(0x03, [UInt8(7 - last % 8)] + bytes)
    }

    package static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xff : 0x00]) }

    package static func null() -> [UInt8] { element(0x05, []) }

    package static func utf8String(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }

    /// A non-negative INTEGER from its big-endian bytes.
    package static func unsignedInteger(_ bytes: [UInt8]) -> [UInt8] {
        var magnitude = Array(bytes.drop { $0 == 0 })
        if magnitude.first.map({ $0 >= 0x80 }) ?? true { magnitude.insert(0, at: 0) }
        return element(0x02, magnitude)
    }

    /// A context-specific element: constructed for explicit tags and SEQUENCEs, primitive for strings.
    package static func context(_ number: UInt8, constructed: Bool, _ contents: [UInt8]) -> [UInt8] {
        element((constructed ? 0xa0 : 0x80) | number, contents)
    }

    /// An OBJECT IDENTIFIER from its dotted form. Text that is no OID gives an empty one.
    package static func objectIdentifier(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        guard arcs.count >= 2, arcs[0] <= 2 else { return element(0x06, []) }
        var bytes: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs[2...] {
            var groups = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            bytes += groups.reversed()
        }
        return element(0x06, bytes)
    }

    /// Not `Array(elements.joined())`, which takes a debug build byte by byte through generic code.
    private static func joined(_ elements: [[UInt8]]) -> [UInt8] {
        elements.reduce(into: []) { $0 += $1 }
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
