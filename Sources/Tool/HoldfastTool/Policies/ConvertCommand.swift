import ArgumentParser
import HoldfastBase
import HoldfastFormats
import HoldfastLint
import HoldfastTrust

/// `holdfast convert`: converts a policy to another format and reports what is lost.
struct ConvertCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a policy to another format, and report what that format cannot express.",
        discussion: """
            The policy goes to standard output, the report to standard error. Exit codes: 0 every host and key keeps \
            its protection, 1 a host or a key loses it (see the report), 2 the policy cannot be read. Formats: \
            \(PolicyFormat.allCases.map(\.rawValue).joined(separator: ", ")).
            """,
        examples: [
            "holdfast convert --to android policy.json > network_security_config.xml",
            "holdfast convert --from hpkp --to holdfast --host example.com header.txt",
        ]
    )

    @Option(help: "The format to read (default: detected from the contents).")
    var from: PolicyFormat?

    @Option(help: "The format to write.")
    var to: PolicyFormat

    @Flag(help: "With --to trustkit: write JSON instead of a property list.")
    var trustkitJSON = false

    @Flag(help: "Print one JSON object with the policy's text and the report.")
    var json = false

    @OptionGroup var colors: ColorOption

    @OptionGroup var input: PolicyInput

    @Argument(help: ArgumentHelp("The policy file (default: standard input).", valueName: "file"), completion: .file())
    var file = "-"

    func validate() throws {
        try colors.check(printsText: !json)
    }

    func run(on console: Console) async throws {
        guard !trustkitJSON || to == .trustKit else {
            throw ToolError("--trustkit-json needs --to trustkit, but --to \(to.rawValue) was given", status: .usage)
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
            for line in report.lines(console.noteStyle(colors.color)) { console.note(line) }
            if let text = result.text { try console.output(Array(text.utf8)) }
        }
        guard result.text != nil else { throw ToolError("the policy cannot be written in this format") }
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
