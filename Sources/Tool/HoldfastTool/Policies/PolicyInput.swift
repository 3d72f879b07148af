public import ArgumentParser
import HoldfastBase
import HoldfastFormats
import HoldfastLint
public import HoldfastTrust

/// The options of commands that read a policy file.
struct PolicyInput: ParsableArguments {
    @Option(help: "The host for an HPKP header or curl's pins, which do not name it.")
    var host: String?

    @Option(
        help: ArgumentHelp("Chromium's second file, with the hashes of its keys.", valueName: "file"),
        completion: .file())
    var keys: String?

    @Option(help: ArgumentHelp("The time of the check, as in 2027-01-31T00:00:00Z (default: now).", valueName: "time"))
    var at: Timestamp?

    /// The time of the check.
    var time: Timestamp { at ?? TrustClock.system.now() }

    /// Reads a file, or standard input for `-`. The document lists the file's problems.
    func document(_ path: String, as format: PolicyFormat?, on console: Console) throws -> PolicyDocument {
        let bytes = try console.readAll(path, limit: PolicyFormats.sizeLimit)
        return document(bytes, path: path, as: format, keys: try keyBytes())
    }

    /// Reads a policy for judging servers, from a file or from standard input for `-`. Prints its warnings.
    func policy(_ path: String, as format: PolicyFormat?, on console: Console) throws -> ProbePolicy {
        let document = try document(path, as: format, on: console)
        let name = path == "-" ? "standard input" : path
        for finding in document.diagnostics where finding.severity == .warning {
            console.note(LintReport.line(finding, in: name, console.noteStyle()))
        }
        return try ProbePolicy(document, path: name)
    }

    func keyBytes() throws -> [UInt8]? {
        try keys.map { try InputFile(path: $0).readAll(limit: PolicyFormats.sizeLimit) }
    }

    func document(_ bytes: [UInt8], path: String, as format: PolicyFormat?, keys: [UInt8]?) -> PolicyDocument {
        PolicyFormats.read(
            bytes, as: format, named: FileLinter.policyName(of: path),
            options: PolicyReadOptions(host: host, receivedAt: time, keys: keys))
    }
}

/// Pins on the command line.
enum PinArgument {
    /// Returns a policy with the pins for these hosts. One pin suffices, because a command locks no users out.
    static func policy(_ pins: [String], for hosts: [CanonicalHost]) throws(ToolError) -> PinningPolicy {
        var digests: [Pin] = []
        for text in pins {
            digests.append(Pin(try digest(text)))
        }
        do throws(PolicyError) {
            return try PinningPolicy(
                name: "--pin", rules: hosts.map { PinningRule(HostPattern($0), pins: PinSet(digests)) },
                backupPins: .off)
        } catch {
            throw ToolError("--pin: \(error)", status: .usage)
        }
    }

    /// Parses a pin with or without its prefix, or in curl's syntax.
    private static func digest(_ text: String) throws(ToolError) -> SPKIDigest {
        // curl writes two slashes. The second may also be the first digit of base64, which the length shows.
        let digits = text.hasPrefix("sha256//") ? String(text.dropFirst(8)) : text
        if let digest = SPKIDigest(base64: text) ?? SPKIDigest(base64: digits) { return digest }
        return try ToolError.explaining("--pin: ", status: .usage, SPKIDigest(text))
    }
}

extension PolicyFormat: ExpressibleByArgument {}

extension Timestamp: ExpressibleByArgument {
    /// Parses an ISO 8601 timestamp; `nil` if it is invalid.
    public init?(argument: String) {
        self.init(iso8601: argument)
    }
}
