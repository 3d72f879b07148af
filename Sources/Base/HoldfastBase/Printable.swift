/// Makes text from a peer safe to print.
package enum Printable {
    /// Decodes UTF-8, escapes control characters and characters that reorder a terminal line, and cuts the text at 512
    /// characters.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        // Nothing has to be escaped or cut in hosts and most other names.
        let isPlain = bytes.count <= 512 && bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isPlain ? text : Printable.text(text)
    }

    /// Escapes and cuts text that is already decoded.
    package static func text(_ text: String) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= 512 else { return result + "…" }
            if isSafe(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        return result
    }

    /// Returns whether a character can neither control a terminal nor reorder its line.
    package static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }
}

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

extension BinaryInteger {
    /// Returns the digits of a number that is not negative, with leading zeros up to `width` digits.
    package func padded(to width: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
