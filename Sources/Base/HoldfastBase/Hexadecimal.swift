extension Collection<UInt8> {
    /// The bytes as lowercase hexadecimal digits, two for each byte.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(count * 2)
        appendHexadecimal(to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends the UTF-8 bytes of ``hexadecimal`` to `digits`, which avoids a copy in a text of several parts.
    package func appendHexadecimal(to digits: inout [UInt8]) {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
        for byte in self {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
    }
}
