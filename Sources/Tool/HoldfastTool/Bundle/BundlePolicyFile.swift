import HoldfastFormats
import HoldfastTrust

/// A policy file for the bundle commands, which take Holdfast's own format alone: what is signed is the file's text.
struct BundlePolicyFile {
    /// The path as it was given; `-` is standard input.
    var path: String
    /// The file's bytes.
    var bytes: [UInt8]

    /// Reads a file. Throws a sentence with the command that converts the file if it is in another format.
    init(path: String, on console: Console) throws {
        let limit = SignedBundle.maximumSize
        self.path = path
        bytes = path == "-" ? try console.readAll(limit: limit) : try InputFile(path: path).readAll(limit: limit)
        guard let format = PolicyFormats.detect(bytes), format != .holdfast else { return }
        let source = path == "-" ? "standard input" : "'\(path)'"
        let argument = path == "-" ? "-" : ShellWord(path).description
        throw ToolError(
            "\(source) is in the format \(format.rawValue), and a bundle needs Holdfast's own format. "
                + "To convert it: holdfast convert \(argument) --to holdfast > policy.json")
    }
}
