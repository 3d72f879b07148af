/// A word as a POSIX shell reads it back, whatever is in it.
struct ShellWord: Hashable, CustomStringConvertible {
    /// The word itself.
    var text: String

    /// Wraps a word.
    init(_ text: String) {
        self.text = text
    }

    var description: String {
        let plain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_./:@%+,[]".utf8.contains(byte)
        }
        // Brackets are plain within an address, and a pattern nowhere else in a path that exists.
        if plain, !text.isEmpty, !text.contains("[") { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
