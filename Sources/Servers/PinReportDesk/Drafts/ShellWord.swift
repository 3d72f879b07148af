/// Texts in commands that a person copies into a shell.
package enum ShellWord {
    /// Returns a text as one word of a POSIX shell. Texts from reports are hostile.
    ///
    /// Quoted unless it consists of letters, digits and harmless punctuation. A leading hyphen would be an option, so
    /// such a text is refused with `nil`, as is a text with control characters or of more than 512 bytes.
    package static func quoted(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 512, bytes.first != UInt8(ascii: "-"),
            text.unicodeScalars.allSatisfy(isVisible)
        else { return nil }
        guard !bytes.allSatisfy(isHarmless) else { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// Terminals and pages can hide or reorder text with controls and with format characters.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    private static func isHarmless(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
