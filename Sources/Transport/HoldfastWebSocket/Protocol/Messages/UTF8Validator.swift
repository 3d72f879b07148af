/// Validates UTF-8 as it arrives and fails at the first byte that cannot belong to valid text.
///
/// Follows RFC 3629 and table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
/// The range of the second byte of a sequence depends on the first byte and excludes these cases. Later bytes may be 80
/// to BF.
package struct UTF8Validator: Hashable, Sendable {
    /// The number of bytes that the current sequence still needs.
    private var missing: UInt8 = 0
    /// The range of the next byte of that sequence.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    package init() {}

    /// Whether the text may end here, because no sequence is incomplete.
    package var isComplete: Bool { missing == 0 }

    /// Validates the next bytes. Returns `false` if the text is not UTF-8; do not use the validator afterwards.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        var index = 0
        while index < count {
            if missing == 0 {
                index = Self.skipText(base, from: index, to: count)
                guard index < count else { break }
            }
            guard accept(base.load(fromByteOffset: index, as: UInt8.self)) else { return false }
            index &+= 1
        }
        return true
    }

    /// Skips complete, valid sequences from `start` on, one machine word at a time, while eight more bytes are
    /// available. Returns the position after them. The caller checks the rest byte by byte.
    private static func skipText(_ base: UnsafeRawPointer, from start: Int, to count: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            // The first byte is the lowest.
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let high = word & 0x8080_8080_8080_8080
            guard high & 0x80 != 0 else {
                index &+= high == 0 ? 8 : high.trailingZeroBitCount >> 3
                if high == 0 { index = skipASCII(base, from: index, to: count) }
                continue
            }
            let pairs = leadingPairs(of: word)
            let length = pairs > 0 ? 2 &* pairs : lengthOfLongSequence(word)
            guard length > 0 else { break }
            index &+= length
        }
        return index
    }

    /// Skips ASCII four words at a time, enough for the compiler to use vector registers.
    private static func skipASCII(_ base: UnsafeRawPointer, from start: Int, to count: Int) -> Int {
        var index = start
        while index &+ 32 <= count {
            let first = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let second = base.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
            let third = base.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
            let fourth = base.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
            guard (first | second | third | fourth) & 0x8080_8080_8080_8080 == 0 else { break }
            index &+= 32
        }
        return index
    }

    /// Returns the number of two-byte sequences at the start of a word, zero to four.
    private static func leadingPairs(of word: UInt64) -> Int {
        // Sets a bit for each byte that is not 110xxxxx or 10xxxxxx in its position.
        let shape = (word & 0xC0E0_C0E0_C0E0_C0E0) ^ 0x80C0_80C0_80C0_80C0
        // Sets a bit for each first byte that is C0 or C1, an overlong form: the upper four of its five bits are zero.
        let overlong = ~((word & 0x001E_001E_001E_001E) &+ 0x7FFF_7FFF_7FFF_7FFF) & 0x8000_8000_8000_8000
        return (shape | overlong).trailingZeroBitCount >> 4
    }

    /// Returns the length of the valid three- or four-byte sequence at the start of a word; zero if there is none.
    private static func lengthOfLongSequence(_ word: UInt64) -> Int {
        let first = word & 0xFF
        let second = word >> 8 & 0xFF
        if word & 0xC0_C0F0 == 0x80_80E0 {
            return first == 0xE0 && second < 0xA0 || first == 0xED && second > 0x9F ? 0 : 3
        }
        guard word & 0xC0C0_C0F8 == 0x8080_80F0, first <= 0xF4 else { return 0 }
        return first == 0xF0 && second < 0x90 || first == 0xF4 && second > 0x8F ? 0 : 4
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= low, byte <= high else { return false }
            missing &-= 1
            low = 0x80
            high = 0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: begin(1)
        case 0xE0: begin(2, low: 0xA0)
        case 0xE1...0xEC, 0xEE, 0xEF: begin(2)
        case 0xED: begin(2, high: 0x9F)
        case 0xF0: begin(3, low: 0x90)
        case 0xF1...0xF3: begin(3)
        case 0xF4: begin(3, high: 0x8F)
        default: return false
        }
        return true
    }

    private mutating func begin(_ missing: UInt8, low: UInt8 = 0x80, high: UInt8 = 0xBF) {
        self.missing = missing
        self.low = low
        self.high = high
    }
}

extension String {
    /// Makes a string from text that a ``UTF8Validator`` has validated to its end. It is not validated again if the
    /// standard library supports that.
    init(valid bytes: [UInt8]) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            self.init(copying: unsafe UTF8Span(unchecked: bytes.span))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }
}
