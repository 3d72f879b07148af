#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Sequence<UInt8> {
    /// The bytes in base64 with padding, without line breaks.
    package var base64: String { Data(self).base64EncodedString() }
}

extension [UInt8] {
    /// Decodes base64 with padding. Returns `nil` for any other text.
    package init?(base64 text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(data)
    }
}

/// Decodes base64 in pieces, strictly (RFC 4648, 3.5 and 4): padding only at the end, and no unused bits set.
struct Base64Decoder: Sendable {
    /// The decoded bytes.
    private(set) var bytes: [UInt8] = []
    private var group: UInt32 = 0
    private var digits = 0
    private var padding = 0

    /// Whether the last group of four digits is complete.
    var isComplete: Bool { digits == 0 }

    /// Adds a piece. Returns the offset of the first invalid byte, counted from `offset`, or `nil` if all bytes are
    /// valid.
    mutating func append(_ piece: ArraySlice<UInt8>, from offset: Int) -> Int? {
        // Grows the capacity by half, so that many short pieces do not cause repeated copies.
        let needed = bytes.count + piece.count
        if bytes.capacity < needed { bytes.reserveCapacity(max(needed, bytes.count * 3 / 2)) }
        var index = piece.startIndex
        while index < piece.endIndex {
            guard add(piece[index]) else { return offset + index - piece.startIndex }
            index += 1
        }
        return nil
    }

    private mutating func add(_ byte: UInt8) -> Bool {
        if byte == 0x3D {
            // One or two padding characters are allowed, and only as the third and fourth digit.
            guard digits >= 2 else { return false }
            padding += 1
            group <<= 6
        } else {
            // Nothing may follow the padding.
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

    /// Returns the value of a digit: `A` to `Z`, `a` to `z`, `0` to `9`, `+`, `/`.
    private static func value(of byte: UInt8) -> UInt8? {
        if byte >= 0x61 { return byte <= 0x7A ? byte - 0x61 + 26 : nil }
        if byte >= 0x41 { return byte <= 0x5A ? byte - 0x41 : nil }
        if byte >= 0x30 { return byte <= 0x39 ? byte - 0x30 + 52 : nil }
        if byte == 0x2B { return 62 }
        return byte == 0x2F ? 63 : nil
    }
}
