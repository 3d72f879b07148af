import ArgumentParser
import HoldfastTransport
import HoldfastTrust
import NIOCore

/// `holdfast pin`: prints the pins of files and servers.
struct PinCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Print the pin of each certificate, certification request or public key.",
        discussion: """
            A source is a file (PEM or DER), - for standard input, or a server: a host, host:port, or an https or wss \
            URL. A server's certificates are not trusted: they are printed as presented, with the result of the \
            system verification.

            --swift, --policy, --okhttp, --trustkit and --android print the pins ready to be pasted. Each server gets \
            a rule; the keys in files, such as a backup key, are added to every rule.
            """
    )

    @Argument(help: ArgumentHelp("Files, - or servers.", valueName: "file | host[:port] | url"))
    var sources: [String]

    @Flag(exclusivity: .exclusive)
    var form: PinForm?

    @Option(help: ArgumentHelp("With --swift etc.: the host or pattern to pin all keys for.", valueName: "host"))
    var host: String?

    @Flag(help: "Print one JSON object, or an array for several sources.")
    var json = false

    func validate() throws {
        try check(sources.filter({ $0 == "-" }).count < 2, "standard input can be given only once")
        try check(
            !json || form == nil, "--json cannot be combined with --swift, --policy, --okhttp, --trustkit or --android")
        try check(
            host == nil || form != nil, "--host needs one of --swift, --policy, --okhttp, --trustkit or --android")
    }

    func run(on console: Console) async throws {
        let pattern = try host.map { try HostPattern($0) }
        // Parse all sources first, so that a mistyped one does not cost connections to the others.
        let targets = try sources.map { try PinTarget($0) }
        var reports: [PinReport] = []
        for target in targets { reports.append(try await PinCommand.report(on: target, console)) }
        if let form {
            try PinCommand.print(form, of: reports, for: pattern, on: console)
        } else if json {
            try console.print(reports.count == 1 ? try reports[0].json : try PrettyJSON.text(of: reports))
        } else {
            let now = TrustClock.system.now()
            try console.print(reports.map { $0.text(at: now) }.joined(separator: "\n\n"))
        }
    }

    private static func report(on target: PinTarget, _ console: Console) async throws -> PinReport {
        switch target {
        case .file(let path):
            let bytes = try InputFile(path: path).readAll(limit: CertificateLoading.sizeLimit)
            return try PinReport(of: bytes, from: .file(path, isDER: !PEMReader.isPEM(bytes)))
        case .standardInput:
            let bytes = try console.readAll(limit: CertificateLoading.sizeLimit)
            return try PinReport(of: bytes, from: .standardInput(isDER: !PEMReader.isPEM(bytes)))
        case .server(let host, let port):
            return try await PresentedCertificates(host: host, port: port).report()
        }
    }

    private static func print(
        _ form: PinForm, of reports: [PinReport], for pattern: HostPattern?, on console: Console
    ) throws {
        let snippet = PinSnippet(reports, host: pattern)
        guard !snippet.rules.isEmpty else {
            throw ToolError("the files contain no host name: add --host, as in --host api.example.com", status: .usage)
        }
        for report in reports {
            guard let finding = report.system, !finding.isFavourable else { continue }
            console.note(
                "\(report.source): the system verification fails (\(finding.reason)) "
                    + "Compare the pins with those of the operator before you use them.")
        }
        for note in snippet.notes { console.note(note) }
        let result = snippet.text(as: form)
        for finding in result.findings where finding.severity != .note {
            console.note(LintReport.line(finding, in: "--\(form.rawValue)"))
        }
        guard let text = result.text else { throw ToolError("the pins cannot be expressed in this format") }
        try console.output(Array(text.utf8))
    }
}

/// Requests a server's certificates. Only performs the TLS handshake.
struct PresentedCertificates {
    /// The server's name.
    var host: CanonicalHost
    /// Its TCP port.
    var port: UInt16
    /// The time limit for connecting, and then for the handshake.
    var timeout: Duration = .seconds(10)

    /// Connects and describes what the server presents. Throws one sentence.
    func report() async throws(ToolError) -> PinReport {
        // Accepts any chain, because the purpose is to show it. No application data is sent.
        let survey = await DialSurvey.of(
            DialTarget(host: host, port: port, security: .tls(alpn: [])), judges: [.system()],
            configuration: TransportConfiguration(trust: .system(), connectTimeout: timeout, tlsTimeout: timeout),
            deadlines: DialDeadlines(connect: timeout, tls: timeout), on: NetworkDialler.eventLoops.next())
        if case .failure(let error) = survey.connection { throw ToolError("\(host):\(port): \(error.reason)") }
        guard let chain = survey.presented else { throw ToolError("\(host):\(port) presented no certificate") }
        return PinReport(of: chain, from: host, port: port, system: survey.verdicts.first?.finding)
    }
}
