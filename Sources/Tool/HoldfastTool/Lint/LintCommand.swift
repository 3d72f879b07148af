import ArgumentParser
import HoldfastBase
import HoldfastFormats
import HoldfastLint
import HoldfastTrust

/// `holdfast lint`: reports errors and probable mistakes in policy files.
struct LintCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find mistakes in policy files, Info.plists and folders of certificates.",
        discussion: """
            A folder is read as certificates that an app ships. Several Info.plists with NSAppTransportSecurity are \
            compared with the first of them. --package checks what a package ships, as its holdfast-lint.json says. \
            Exit codes: 0 no finding above a note, 1 an error or a warning, or with --strict any finding, 2 a file \
            cannot be read. docs/lint.md lists the findings.
            """,
        examples: [
            "holdfast lint policy.json",
            "holdfast lint trustkit.plist --chain chain.pem",
            "holdfast lint App/Info.plist Extension/Info.plist",
            "holdfast lint Certificates --strict --format sarif > lint.sarif",
        ]
    )

    @Argument(
        help: ArgumentHelp("Policy files, configurations, certificates, folders of certificates.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        name: .customLong("package"),
        help: ArgumentHelp("Check the policies and certificates of a package.", valueName: "folder"),
        completion: .directory)
    var packageFolder: String?

    @OptionGroup var severity: LintSeverity

    @Option(help: "The format of the files (default: detected from the contents).")
    var policyFormat: PolicyFormat?

    @Option(
        help: ArgumentHelp("The server's certificate chain (PEM), to compare with the pins.", valueName: "file"),
        completion: .file())
    var chain: String?

    @Option(help: "The output format (default: text).")
    var format: LintFormat?

    @Flag(help: "Same as --format json.")
    var json = false

    @OptionGroup var colors: ColorOption

    @OptionGroup var input: PolicyInput

    private var output: LintFormat { format ?? (json ? .json : .text) }

    func validate() throws {
        try check(!json || format == nil || format == .json, "--json and --format contradict each other.")
        try colors.check(printsText: output == .text)
        try check(files.isEmpty != (packageFolder == nil), "name the files to check, or a package with --package")
        try check(
            packageFolder == nil || policyFormat == nil && chain == nil && input.host == nil && input.keys == nil,
            "--package takes neither --policy-format, --chain, --host nor --keys")
    }

    func run(on console: Console) async throws {
        guard files.filter({ $0 == "-" }).count < 2 else {
            throw ToolError("standard input can be given only once", status: .usage)
        }
        let (report, places) = try report(on: console)
        let printed = report.printed(as: output, console.outputStyle(colors.color), places: places)
        if let text = printed.text { try console.print(text) }
        if let note = printed.note { console.note(note) }
        guard report.isClean else { throw ToolError("", status: .failure) }
    }

    /// Returns the report, and the number of checked files and folders if a package names them.
    private func report(on console: Console) throws -> (LintReport, places: Int?) {
        let times = LintTimes(time: input.time, days: severity.withinDays)
        if let packageFolder {
            let linter = PackageLinter(folder: packageFolder, times: times, strict: severity.strict)
            let outcome = try linter.outcome()
            return (outcome.report, outcome.checked.count)
        }
        var report = LintReport(isStrict: severity.strict)
        let options = PolicyReadOptions(host: input.host, keys: try input.keyBytes())
        var linter = FileLinter(
            format: policyFormat, options: options, times: times, chain: try chain.map(presented),
            roots: FileLinter.systemRoots())
        for file in files { try linter.check(file, &report) { try console.readAll($0, limit: $1) } }
        return (report, nil)
    }

    private func presented(_ path: String) throws -> PresentedChain {
        PresentedChain(try CertificateLoading.certificates(atPath: path))
    }
}
