import ArgumentParser
import HoldfastFormats
import HoldfastTrust

/// `holdfast convert`: writes a policy in another format, and says what is lost.
struct ConvertCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Writes a policy in another format, and says what that format cannot express.",
        discussion: """
            The policy goes to standard output, the report to standard error. The exit code is 0 if nothing loses its \
            protection, 1 if a host or a key does (the report says which), 2 if the policy cannot be read. Formats: \
            \(PolicyFormat.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    )

    @Option(help: "The format to read; recognised by the contents if it is not given.")
    var from: PolicyFormat?

    @Option(help: "The format to write.")
    var to: PolicyFormat

    @Flag(help: "Write TrustKit's configuration as JSON, not as a property list; needs --to trustkit.")
    var trustkitJSON = false

    @Flag(help: "Print one JSON object with the policy's text and the report.")
    var json = false

    @OptionGroup var input: PolicyInput

    @Argument(help: ArgumentHelp("The policy file; standard input if it is not given.", valueName: "file"))
    var file = "-"

    func run(on console: Console) async throws {
        guard !trustkitJSON || to == .trustKit else {
            throw ToolError(
                "--trustkit-json needs --to trustkit, and --to \(to.rawValue) is given", status: .usage)
        }
        let document = try input.document(file, as: from, on: console)
        let result = PolicyFormats.write(
            document, as: to,
            options: PolicyWriteOptions(host: input.host, time: input.time, prefersJSON: trustkitJSON))
        let name = file == "-" ? "standard input" : file
        if json {
            try console.print(ConvertCommand.json(result, to, in: name))
        } else {
            var report = LintReport()
            report.add(result.report, in: name)
            for line in report.lines { console.note(line) }
            if let text = result.text { try console.output(Array(text.utf8)) }
        }
        guard result.text != nil else { throw ToolError("there is no policy to write") }
        guard !result.losesProtection else { throw ToolError("", status: .failure) }
    }

    private static func json(_ result: ConversionResult, _ format: PolicyFormat, in file: String) -> String {
        let text = JSONWriter.text(
            .fields([
                ("format", .string(format.rawValue)), ("losesProtection", .bool(result.losesProtection)),
                ("text", result.text.map { .string($0) } ?? .null),
                ("report", .list(result.report.map { LintReport.json($0, in: file) })),
            ]))
        return String(text.dropLast())
    }
}
