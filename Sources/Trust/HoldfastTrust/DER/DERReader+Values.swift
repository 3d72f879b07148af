extension DERReader {
    /// Reads a boolean.
    mutating func readBoolean() throws(DERFault) -> Bool {
        let element = try read(DERTag.boolean)
        guard element.content.count == 1 else {
            throw DERFault(reason: .invalidBoolean, offset: element.content.lowerBound)
        }
        switch bytes[element.content.lowerBound] {
        case 0x00: return false
        case 0xFF: return true
        default: throw DERFault(reason: .invalidBoolean, offset: element.content.lowerBound)
        }
    }

    /// Reads an integer in its shortest form and returns the range of its bytes.
    mutating func readInteger(_ tag: UInt8 = DERTag.integer) throws(DERFault) -> Range<Int> {
        let content = try read(tag).content
        let start = content.lowerBound
        guard !content.isEmpty else { throw DERFault(reason: .invalidInteger, offset: start) }
        if content.count > 1 {
            let first = bytes[start]
            let secondIsHigh = bytes[start + 1] & 0x80 != 0
            guard !(first == 0x00 && !secondIsHigh), !(first == 0xFF && secondIsHigh) else {
                throw DERFault(reason: .invalidInteger, offset: start)
            }
        }
        return content
    }

    /// Reads a small, non-negative integer.
    mutating func readSmallInteger(_ tag: UInt8 = DERTag.integer) throws(DERFault) -> Int {
        let content = try readInteger(tag)
        guard content.count <= 4, bytes[content.lowerBound] & 0x80 == 0 else {
            throw DERFault(reason: .invalidInteger, offset: content.lowerBound)
        }
        return content.reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }

    /// Reads a bit string and returns the number of unused bits and the range of its bytes.
    mutating func readBitString(_ tag: UInt8 = DERTag.bitString) throws(DERFault) -> (
        unusedBits: UInt8, bytes: Range<Int>
    ) {
        let content = try read(tag).content
        let fault = DERFault(reason: .invalidBitString, offset: content.lowerBound)
        guard let first = content.first else { throw fault }
        let unused = bytes[first]
        let body = content.dropFirst()
        guard unused < 8, !(body.isEmpty && unused != 0) else { throw fault }
        if let last = body.last, bytes[last] & ((1 << unused) - 1) != 0 { throw fault }
        return (unused, body)
    }

    /// Reads a UTCTime or a GeneralizedTime in the forms of RFC 5280, 4.1.2.5: seconds from 00 to 59, `Z`, no fraction.
    mutating func readTime() throws(DERFault) -> (time: Timestamp, isGeneralized: Bool) {
        let element = try read()
        let fault = DERFault(reason: .invalidTime, offset: element.whole.lowerBound)
        let isGeneralized: Bool
        switch element.tag {
        case DERTag.utcTime: isGeneralized = false
        case DERTag.generalizedTime: isGeneralized = true
        default: throw DERFault(reason: .unexpectedTag, offset: element.whole.lowerBound)
        }
        let yearDigits = isGeneralized ? 4 : 2
        let text = bytes[element.content]
        guard text.count == yearDigits + 11, text.last == UInt8(ascii: "Z"),
            text.dropLast().allSatisfy({ (0x30...0x39).contains($0) })
        else { throw fault }
        func number(_ offset: Int, _ count: Int) -> Int {
            text.dropFirst(offset).prefix(count).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        var year = number(0, yearDigits)
        if !isGeneralized { year += year < 50 ? 2000 : 1900 }
        let second = number(yearDigits + 8, 2)
        // A UTCTime does not have leap seconds (X.680, 47.3), and Go and OpenSSL refuse them in both forms.
        guard second < 60,
            let time = Timestamp(
                year: year, month: number(yearDigits, 2), day: number(yearDigits + 2, 2),
                hour: number(yearDigits + 4, 2), minute: number(yearDigits + 6, 2), second: second)
        else { throw fault }
        return (time, isGeneralized)
    }
}
