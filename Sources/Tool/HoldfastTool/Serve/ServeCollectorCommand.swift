import HoldfastBase
import ArgumentParser
import HoldfastTrust
import PinReportCollector

/// `holdfast serve collector`: receives reports of pin failures. Told in docs/collector.md.
struct ServeCollectorCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "collector",
        abstract: "Receives reports of pin failures, keeps them in SQLite, and lists them as JSON.",
        discussion: """
            Apps post TrustKit's reports, or those of RFC 7469, to /reports. GET /reports, /reports/summary and \
            /reports/NUMBER show what came: on this machine, or with the token. The token comes from a file, or from the \
            environment variable \(tokenVariable).
            """
    )

    static let tokenVariable = "HOLDFAST_COLLECTOR_TOKEN"

    @Option(help: "The address to listen on. One that other machines reach needs --cert and --key.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: UInt16 = 8_475

    @Option(help: ArgumentHelp("The database. Without one, reports end with the collector.", valueName: "file"))
    var database: String?

    @Option(help: ArgumentHelp("The certificate chain in PEM, the server's own first.", valueName: "file"))
    var cert: String?

    @Option(help: ArgumentHelp("The certificate's private key in PEM, not encrypted.", valueName: "file"))
    var key: String?

    @Option(help: ArgumentHelp("A file with the token that readers must show.", valueName: "file"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("A path to take reports at. May be given several times.", valueName: "path"))
    var path: [String] = []

    @Option(
        help: ArgumentHelp(
            "Reports, and wrong tokens, that one address may send in a minute; 0 for any number.", valueName: "number"))
    var perMinute = ReportCollectorLimits().perMinute

    @Option(help: ArgumentHelp("Reports to keep.", valueName: "number"))
    var keep = ReportCollectorLimits().storedReports

    @Option(help: ArgumentHelp("Days to keep a report.", valueName: "number"))
    var keepDays = 90

    @Flag(help: "Listen for other machines without TLS: everybody on the way reads and forges reports.")
    var dangerouslyAllowCleartext = false

    @Flag(
        help: "Let this machine read without a token also with --per-minute 0 or another --host. See docs/collector.md."
    )
    var dangerouslyReadWithoutToken = false

    @Flag(help: "Print one JSON object a line: where it listens, then what becomes of reports.")
    var json = false

    var isLongRunning: Bool { true }

    func validate() throws {
        try check((cert == nil) == (key == nil), "--cert and --key belong together")
        try check(perMinute >= 0 && keep >= 1, "--per-minute and --keep are counts")
        try check((1...36_500).contains(keepDays), "--keep-days is 1 to 36500")
    }

    func run(on console: Console) async throws {
        let place = ListeningPlace(host: host, port: port)
        guard cert != nil || dangerouslyAllowCleartext || place.isLoopback else {
            throw ToolError(
                "\(Printable.text(host)) is reachable from other machines: --cert and --key give a certificate, or "
                    + "--dangerously-allow-cleartext allows everybody on the way to read and forge reports",
                status: .usage)
        }
        let lines = CollectorLines(console: console, asJSON: json)
        var configuration = try makeConfiguration()
        for file in [key, tokenFile].compactMap(\.self) { FileMode.warn(ifOpenToOthers: file, on: console) }
        try await place.check()
        configuration.onEvent = { lines.event($0) }
        let settings = configuration
        let collector = try ReportCollector(configuration: settings)
        try await ServeCommand.run(on: console, stop: { collector.stop() }) {
            try await collector.run { lines.listening($0, settings) }
        }
    }

    private func makeConfiguration() throws -> ReportCollectorConfiguration {
        var configuration = ReportCollectorConfiguration()
        configuration.host = host
        configuration.port = Int(port)
        configuration.databasePath = database
        configuration.dangerouslyAllowsCleartext = dangerouslyAllowCleartext
        configuration.dangerouslyAllowsReadingWithoutToken = dangerouslyReadWithoutToken
        if let cert, let key {
            configuration.tls = try ReportCollectorTLS(certificateFile: cert, privateKeyFile: key)
        }
        if let tokenFile {
            configuration.token = try ReaderToken(file: tokenFile)
        } else if let token = EnvironmentVariable.value(of: Self.tokenVariable) {
            configuration.token = try ReaderToken(token)
        }
        if !path.isEmpty { configuration.intakePaths = path }
        configuration.limits.perMinute = max(1, perMinute)
        configuration.limits.burst = perMinute
        configuration.limits.storedReports = keep
        configuration.limits.storedFor = .seconds(keepDays * 86_400)
        // Before the grace of an interruption is over.
        configuration.limits.shutdownTime = .milliseconds(Interruption.graceMilliseconds / 2)
        return configuration
    }
}
