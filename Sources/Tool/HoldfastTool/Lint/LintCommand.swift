import ArgumentParser
import HoldfastFormats
import HoldfastTrust

/// `holdfast lint`: says what is wrong in policy files, or probably a mistake.
struct LintCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Finds mistakes in policy files, Info.plists and folders of certificates.",
        discussion: """
            A folder is taken for certificates that an app ships. Several Info.plists with NSAppTransportSecurity are compared \
            with the first of them. The exit code is 0 if there is nothing above a note, 1 if there is an error or a \
            warning, 2 if a file cannot be read. docs/lint.md lists the findings.
            """
    )

    @Argument(
        help: ArgumentHelp("Policy files, configurations, certificates, folders of certificates.", valueName: "file"))
    var files: [String]

    @Option(help: "The format; recognised by the contents if it is not given.")
    var format: PolicyFormat?

    @Option(help: ArgumentHelp("What the server presents (PEM), to compare the pins with.", valueName: "file"))
    var chain: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var input: PolicyInput

    func run(on console: Console) async throws {
        guard files.filter({ $0 == "-" }).count < 2 else {
            throw ToolError("standard input can be read once", status: .usage)
        }
        var report = LintReport()
        var linter = FileLinter(
            format: format, input: input, chain: try chain.map(presented), keys: try input.keyBytes())
        for file in files {
            report.add(try linter.findings(in: file, on: console), in: file)
        }
        try console.print(json ? report.json : report.text)
        guard report.isClean else { throw ToolError("", status: .failure) }
    }

    private func presented(_ path: String) throws -> PresentedChain {
        PresentedChain(try CertificateLoading.certificates(atPath: path))
    }
}
