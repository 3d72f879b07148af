/// Checks UTF-8 as it arrives, and says no by the first byte that cannot belong to any valid text.
///
/// RFC 3629 and table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF. The second
/// byte of a sequence decides those, so its range depends on the first; the bytes after it may be 80 to BF.
package struct UTF8Validator: Hashable, Sendable {
    /// Bytes that the sequence in progress still needs.
    private var missing: UInt8 = 0
    /// The range of the next byte of that sequence.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    package init() {}

    /// Whether the text could end here: no sequence is in progress.
    package var isComplete: Bool { missing == 0 }

    /// Checks the next bytes. `false`: the text is not UTF-8, whatever follows. The validator is of no use then.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        var index = 0
        while index < count {
            if missing == 0 {
                while index &+ 8 <= count,
                    base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index &+= 8
                }
                guard index < count else { break }
            }
            guard accept(base.load(fromByteOffset: index, as: UInt8.self)) else { return false }
            index &+= 1
        }
        return true
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
