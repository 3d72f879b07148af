import HoldfastBase
import ArgumentParser
import HoldfastFormats
import HoldfastTrust

/// `holdfast bundle`: makes keys, signs policies and verifies bundles. The format is docs/bundles.md.
struct BundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Signed pin bundles: policies that reach an app over the network.",
        discussion: """
            Exit codes: 0 done, 1 the bundle is refused (verify), 2 an input cannot be used or a file is already there, \
            64 the command line is wrong.
            """,
        subcommands: [BundleKeygenCommand.self, BundleSignCommand.self, BundleVerifyCommand.self]
    )

    /// The most bytes of a key file that are read.
    static let keySizeLimit = 64 * 1024
}

/// Reads the arguments of the bundle commands that are more than text.
enum BundleArgument {
    /// An instant, or a date for its first second in UTC.
    static func time(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(iso8601: text) else {
            throw ValidationError("'\(text)' is no time: write 2031-03-15T12:00:00Z or 2031-03-15")
        }
        return time
    }

    /// The name of an algorithm.
    static func algorithm(_ text: String) throws -> BundleAlgorithm {
        guard let algorithm = BundleAlgorithm(rawValue: text) else {
            throw ValidationError("'\(text)' is not an algorithm for bundles: use ed25519 or es256")
        }
        return algorithm
    }
}

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

/// A policy file for the bundle commands, which take Holdfast's own format alone: what is signed is the file's text.
struct BundlePolicyFile {
    /// The path as it was given; `-` is standard input.
    var path: String
    /// The file's bytes.
    var bytes: [UInt8]

    /// Reads a file. Throws a sentence with the command that converts the file if it is in another format.
    init(path: String, on console: Console) throws {
        self.path = path
        bytes = try console.readAll(path, limit: SignedBundle.maximumSize)
        guard let format = PolicyFormats.detect(bytes), format != .holdfast else { return }
        let source = path == "-" ? "standard input" : "'\(path)'"
        let argument = path == "-" ? "-" : ShellWord(path).description
        throw ToolError(
            "\(source) is in the format \(format.rawValue), and a bundle needs Holdfast's own format. "
                + "To convert it: holdfast convert \(argument) --to holdfast > policy.json")
    }
}
