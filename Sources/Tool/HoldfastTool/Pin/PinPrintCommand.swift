import ArgumentParser
import Foundation
import HoldfastBase
import HoldfastLint
import HoldfastTransport
import HoldfastTrust
import NIOCore

/// `holdfast pin print`, the default of `holdfast pin`: prints the pins of files and servers.
struct PinPrintCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Print the pin of each certificate, certification request or public key.",
        discussion: """
            A source is a file (PEM, DER or PKCS #12), - for standard input, or a server: a host, host:port, \
            [IPv6]:port, or an https or wss URL. The password of a PKCS #12 file comes from --password-file or from the \
            environment variable \(ToolEnvironment.pkcs12Password). A server's certificates are not trusted: they are \
            printed as presented, with the result of the system verification.

            --swift, --policy, --okhttp, --trustkit and --android print the pins ready to be pasted. Each server gets \
            a rule; the keys in files, such as a backup key, are added to every rule.
            """,
        examples: [
            "holdfast pin server.pem",
            "holdfast pin print server.pem --json",
            "holdfast pin example.com wss://chat.example.com/socket '[2001:db8::1]:8443'",
            "holdfast pin identity.p12 --password-file password.txt",
            "holdfast pin example.com backup.pem --policy > policy.json",
        ]
    )

    @Argument(help: ArgumentHelp("Files, - or servers.", valueName: "file | host[:port] | url"), completion: .file())
    var sources: [String]

    @Flag(exclusivity: .exclusive)
    var form: PinForm?

    @Option(help: ArgumentHelp("With --swift etc.: the host or pattern to pin all keys for.", valueName: "host"))
    var host: String?

    @Option(
        help: ArgumentHelp("A file whose first line is the password of the PKCS #12 files.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

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
        for target in targets { reports.append(try await target.report(passwordFile: passwordFile, on: console)) }
        guard passwordFile == nil || reports.contains(where: \.isPKCS12) else {
            throw ToolError("--password-file needs a PKCS #12 file (.p12, .pfx) as a source", status: .usage)
        }
        if let form {
            try PinPrintCommand.print(form, of: reports, for: pattern, on: console)
        } else if json {
            try console.print(reports.count == 1 ? try reports[0].json : try PrettyJSON.text(of: reports))
        } else {
            let now = TrustClock.system.now()
            try console.print(reports.map { $0.text(at: now) }.joined(separator: "\n\n"))
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
            console.note(LintReport.line(finding, in: "--\(form.rawValue)", console.noteStyle()))
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

/// A source that was given to `holdfast pin`.
enum PinTarget: Hashable {
    /// A file.
    case file(String)
    /// Standard input.
    case standardInput
    /// A server that presents certificates.
    case server(CanonicalHost, port: UInt16)

    /// Extensions of key and certificate files that are not top-level domains.
    private static let fileExtensions: Set<String> = ["pem", "cer", "crt", "der", "key", "csr", "p7b", "p12", "pfx"]

    /// Parses the argument: `-`, a file, a host, `host:port`, or an `https` or `wss` URL. An existing file wins over a
    /// server of the same name. The default port is 443.
    init(_ text: String) throws(ToolError) {
        if text == "-" {
            self = .standardInput
            return
        }
        if FileManager.default.fileExists(atPath: text) {
            self = .file(text)
            return
        }
        guard !PinTarget.isPath(text) else { throw ToolError("there is no file '\(Printable.text(text))'") }
        do throws(ToolError) {
            let target = try ProbeTarget(text)
            self = .server(target.host, port: target.port)
        } catch {
            throw ToolError("not an existing file, and not a valid server: \(error.sentence)")
        }
    }

    /// Reads the file, or requests the server's certificates.
    ///
    /// - Parameter passwordFile: The file with the password of PKCS #12 files.
    func report(passwordFile: String?, on console: Console) async throws -> PinReport {
        func password() throws(ToolError) -> PKCS12Password {
            try PKCS12Password(
                file: passwordFile, variable: EnvironmentVariable.value(of: ToolEnvironment.pkcs12Password), on: console
            )
        }
        switch self {
        case .file(let path):
            let bytes = try InputFile(path: path).readAll(limit: CertificateLoading.sizeLimit)
            return try PinReport(of: bytes, path: path, password: password)
        case .standardInput:
            let bytes = try console.readAll(limit: CertificateLoading.sizeLimit)
            return try PinReport(of: bytes, path: nil, password: password)
        case .server(let host, let port):
            return try await PresentedCertificates(host: host, port: port).report()
        }
    }

    /// Returns whether a text can only be a file: it contains a slash and is not a URL, or it has a certificate file's
    /// extension.
    private static func isPath(_ text: String) -> Bool {
        guard !text.contains("://") else { return false }
        guard !text.contains("/") else { return true }
        guard let dot = text.lastIndex(of: ".") else { return false }
        return fileExtensions.contains(text[text.index(after: dot)...].lowercased())
    }
}
