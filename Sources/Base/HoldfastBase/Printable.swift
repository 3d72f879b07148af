/// Makes text from a peer safe to print.
package enum Printable {
    /// Decodes UTF-8, escapes control characters and characters that reorder a terminal line, and cuts the text at 512
    /// characters.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        return isPlain(bytes) ? text : Printable.text(text)
    }

    /// Returns whether nothing has to be escaped or cut, which is the case for hosts and most other names.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= 512 else { return false }
        var index = 0
        while index < bytes.count {
            guard bytes[index] >= 0x20, bytes[index] < 0x7F else { return false }
            index += 1
        }
        return true
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
