import ArgumentParser
import HoldfastBase
import HoldfastFormats
import HoldfastTrust

/// `holdfast bundle`: creates keys, signs policies and verifies bundles. docs/bundles.md defines the format.
struct BundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Create, sign, verify and halt pin bundles: policies that an app downloads.",
        discussion: """
            Exit codes: 0 success, 1 the bundle was refused (verify), 2 an input is unusable or an output file exists, \
            64 the command line is invalid.
            """,
        examples: [
            "holdfast bundle keygen --key-id a --private-key key.pem --public-key pub.pem",
            "holdfast bundle verify shop.bundle --key a=pub.pem --application com.example",
        ],
        subcommands: [
            BundleKeygenCommand.self, BundleSignCommand.self, BundleVerifyCommand.self, BundleHaltCommand.self,
            BundleTimestampCommand.self,
        ]
    )

    /// The maximum size of a key file in bytes.
    ///
    /// - Error: exit code 2
    static let keySizeLimit = 64 * 1024
}

/// Parses the bundle commands' arguments.
enum BundleArgument {
    /// Parses an instant, or a date, which means its first second in UTC.
    static func time(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(iso8601: text) else {
            throw ValidationError("'\(text)' is not a valid time: write 2031-03-15T12:00:00Z or 2031-03-15")
        }
        return time
    }

    /// Parses the name of an algorithm.
    static func algorithm(_ text: String) throws -> BundleAlgorithm {
        guard let algorithm = BundleAlgorithm(rawValue: text) else {
            throw ValidationError("'\(text)' is not an algorithm for bundles: use ed25519 or es256")
        }
        return algorithm
    }
}

/// The name of a key on the command line.
///
/// An id must not contain an equals sign, because `verify --key` takes ID=FILE. Spaces and characters outside printable
/// ASCII are refused too, so that two ids that look alike are the same.
enum BundleKeyID {
    /// Returns the id. Throws a `ValidationError` that names the first invalid character.
    static func parse(_ text: String) throws -> String {
        guard (1...128).contains(text.utf8.count) else {
            throw ValidationError("a key id must have 1 to 128 bytes, but this one has \(text.utf8.count)")
        }
        for character in text.unicodeScalars where !(0x21...0x7E).contains(character.value) || character == "=" {
            let name =
                character == " "
                ? "a space" : character == "=" ? "an equals sign" : "a character outside printable ASCII"
            throw ValidationError(
                "the key id '\(Printable.text(text))' contains \(name): use letters, digits, '.', '-' and '_'")
        }
        return text
    }
}

/// A policy file for the bundle commands. Only Holdfast's own format is accepted, because the signature covers the
/// file's text.
struct BundlePolicyFile {
    /// The path as given; `-` means standard input.
    var path: String
    /// The file's bytes.
    var bytes: [UInt8]

    /// Reads a file.
    ///
    /// Throws an error that names the conversion command if the file is in another format.
    init(path: String, on console: Console) throws {
        self.path = path
        bytes = try console.readAll(path, limit: SignedBundle.maximumSize)
        guard let format = PolicyFormats.detect(bytes), format != .holdfast else { return }
        let source = path == "-" ? "standard input" : "'\(path)'"
        let argument = path == "-" ? "-" : ShellWord(path).description
        throw ToolError(
            "\(source) is in the format \(format.rawValue), but a bundle needs Holdfast's own format. "
                + "Convert it first: holdfast convert \(argument) --to holdfast > policy.json")
    }
}

/// The output of the bundle commands: one fact per line, or one JSON object with the same names.
struct BundleReport {
    private var fields: [(String, JSONNode.Value?)]
    private var problems: [String]

    init(_ fields: [(String, JSONNode.Value?)], problems: [String] = []) {
        self.fields = fields
        self.problems = problems
    }

    /// Describes an accepted bundle. `more` has further facts.
    init(_ bundle: VerifiedBundle, _ more: [(String, JSONNode.Value?)] = []) {
        self.init(
            [
                ("accepted", .bool(true)), ("application", .string(bundle.application)),
                ("version", .number("\(bundle.version)")), ("keyID", .string(bundle.keyID)),
                ("notBefore", .text(bundle.notBefore)), ("notAfter", .text(bundle.notAfter)),
                ("policy", .string(bundle.policy.name)), ("rules", .number("\(bundle.policy.rules.count)")),
            ] + more)
    }

    /// Writes a signed file, and prints the report. If the file goes to standard output, the report goes to standard
    /// error.
    func write(_ bytes: [UInt8], to output: String, asJSON: Bool, on console: Console) throws {
        guard output == "-" else {
            try NewFile.create([NewFile(path: output, bytes: bytes, isPrivate: false)])
            return try console.print(text(asJSON: asJSON))
        }
        try console.output(bytes)
        console.note(text(asJSON: asJSON))
    }

    func text(asJSON: Bool) -> String {
        if asJSON { return json }
        return
            (fields.compactMap { name, value in value.map { line(name, $0) } }
            + problems.map { "  \(Printable.text($0))" }).joined(separator: "\n")
    }

    private func line(_ name: String, _ value: JSONNode.Value?) -> String {
        let shown =
            switch value {
            case .string(let text)?: Printable.text(text)
            case .number(let digits)?: digits
            case .bool(let flag)?: flag ? "yes" : "no"
            case .null?, .array?, .object?, nil: ""
            }
        return TerminalWidth.padded(name, to: 13) + shown
    }

    private var json: String {
        let problems = problems.isEmpty ? nil : JSONNode.Value.list(problems.map { .string($0) })
        return String(JSONWriter.text(.fields(fields + [("problems", problems)])).dropLast())
    }
}
