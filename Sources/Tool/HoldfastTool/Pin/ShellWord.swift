/// Quotes a word for a POSIX shell.
struct ShellWord: Hashable, CustomStringConvertible {
    /// The unquoted word.
    var text: String

    /// Creates a word.
    init(_ text: String) {
        self.text = text
    }

    var description: String {
        let plain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_./:@%+,[]".utf8.contains(byte)
        }
        // Brackets need no quotes within an address. Elsewhere in an existing path they are not a pattern.
        if plain, !text.isEmpty, !text.contains("[") { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
