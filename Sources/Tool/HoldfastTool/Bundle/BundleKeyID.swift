import ArgumentParser
import HoldfastTrust

/// The name of a key on the command line.
///
/// `verify --key` takes ID=FILE, so an id has no equals sign. It has no space and nothing outside of printable ASCII either:
/// two ids that look alike must be the same.
enum BundleKeyID {
    /// Returns the id. Throws a `ValidationError` that names the first character that an id may not have.
    static func parse(_ text: String) throws -> String {
        guard (1...128).contains(text.utf8.count) else {
            throw ValidationError("a key id has 1 to 128 bytes, and this one has \(text.utf8.count)")
        }
        for character in text.unicodeScalars where !(0x21...0x7E).contains(character.value) || character == "=" {
            let name = character == " " ? "a space" : character == "=" ? "an equals sign" : "other than printable ASCII"
            throw ValidationError(
                "the key id '\(Printable.text(text))' has \(name): use letters, digits, '.', '-' and '_', as in 2031-a")
        }
        return text
    }
}
