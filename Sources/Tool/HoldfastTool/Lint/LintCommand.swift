import ArgumentParser
import HoldfastFormats
import HoldfastTrust

/// `holdfast lint`: reports errors and probable mistakes in policy files.
struct LintCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find mistakes in policy files, Info.plists and folders of certificates.",
        discussion: """
            A folder is read as certificates that an app ships. Several Info.plists with NSAppTransportSecurity are \
            compared with the first of them. Exit codes: 0 no finding above a note, 1 an error or a warning, 2 a file \
            cannot be read. docs/lint.md lists the findings.
            """
    )

    @Argument(
        help: ArgumentHelp("Policy files, configurations, certificates, folders of certificates.", valueName: "file"))
    var files: [String]

    @Option(help: "The format (default: detected from the contents).")
    var format: PolicyFormat?

    @Option(help: ArgumentHelp("The server's certificate chain (PEM), to compare with the pins.", valueName: "file"))
    var chain: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var input: PolicyInput

    func run(on console: Console) async throws {
        guard files.filter({ $0 == "-" }).count < 2 else {
            throw ToolError("standard input can be given only once", status: .usage)
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
