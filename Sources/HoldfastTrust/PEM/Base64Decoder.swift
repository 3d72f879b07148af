/// Decodes base64 that comes in pieces, strictly (RFC 4648, 3.5 and 4): padding only where it belongs, no spare bits set.
struct Base64Decoder: Sendable {
    /// What is decoded so far.
    private(set) var bytes: [UInt8] = []
    private var group: UInt32 = 0
    private var digits = 0
    private var padding = 0

    /// Whether nothing is missing from the last group of four.
    var isComplete: Bool { digits == 0 }

    /// Adds a piece. Returns the offset of the first byte that does not belong, counted from `offset`; `nil` if all do.
    mutating func append(_ piece: ArraySlice<UInt8>, from offset: Int) -> Int? {
        for (index, byte) in piece.enumerated() {
            guard add(byte) else { return offset + index }
        }
        return nil
    }

    private mutating func add(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "=") {
            // One or two, and only in the places of the third and fourth digit.
            guard digits >= 2 else { return false }
            padding += 1
            group <<= 6
        } else {
            // Nothing may follow padding, neither in the group nor behind it.
            guard padding == 0, let value = Self.value(of: byte) else { return false }
            group = group << 6 | UInt32(value)
        }
        digits += 1
        guard digits == 4 else { return true }
        let unused: UInt32 = padding == 2 ? 0xffff : padding == 1 ? 0xff : 0
        guard group & unused == 0 else { return false }
        bytes.append(UInt8(group >> 16 & 0xff))
        if padding < 2 { bytes.append(UInt8(group >> 8 & 0xff)) }
        if padding < 1 { bytes.append(UInt8(group & 0xff)) }
        group = 0
        digits = 0
        return true
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
