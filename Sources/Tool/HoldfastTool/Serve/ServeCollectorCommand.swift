import HoldfastBase
import ArgumentParser
import PinReportCollector

/// `holdfast serve collector`: receives reports of pin failures. See docs/collector.md.
struct ServeCollectorCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "collector",
        abstract: "Receive reports of pin failures, store them, and show what is wrong.",
        discussion: """
            Apps post TrustKit's reports, or those of RFC 7469, to /reports. Read them at /reports, \
            /reports/summary and /reports/NUMBER, from this machine or with the token. The token comes from a \
            file, or from the environment variable \(tokenVariable).

            The report desk at /desk groups reports into incidents. Its address is printed at the start; without a \
            token, it signs one person in. /metrics has numbers for Prometheus.

            The database is a SQLite file, or a PostgreSQL database that several collectors share. Its password comes \
            from PGPASSWORD or the file that PGPASSFILE names, because every process can read arguments.

            Each option can also come from the environment, as in HOLDFAST_COLLECTOR_KEEP_DAYS, or from the file of \
            --config. The command line takes precedence, then the environment.
            """,
        examples: [
            "holdfast serve collector --database reports.sqlite",
            "holdfast serve collector --database postgresql://collector@db.example/reports",
            "holdfast serve collector --host 0.0.0.0 --cert chain.pem --key key.pem",
            "holdfast serve collector --config collector.json --log-format json",
        ]
    )

    static let tokenVariable = "HOLDFAST_COLLECTOR_TOKEN"

    @Option(help: "The address to listen on. One that other machines can reach needs TLS.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 for a free port.")
    var port: UInt16 = 8_475

    @Option(
        help: ArgumentHelp(
            "A SQLite file, or a postgresql:// URL (default: reports are lost when the collector ends).",
            valueName: "file|url"),
        completion: .file())
    var database: String?

    @Option(help: ArgumentHelp("The certificate chain (PEM, leaf first).", valueName: "file"), completion: .file())
    var cert: String?

    @Option(
        help: ArgumentHelp("The certificate's private key (PEM, unencrypted).", valueName: "file"), completion: .file())
    var key: String?

    @Option(help: ArgumentHelp("A file with the readers' token.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("A path to accept reports at. Repeatable.", valueName: "path"))
    var path: [String] = []

    @Option(help: ArgumentHelp("Reports and wrong tokens per address and minute; 0 for no limit.", valueName: "number"))
    var perMinute = ReportCollectorLimits().perMinute

    @Option(help: ArgumentHelp("The number of reports to keep.", valueName: "number"))
    var keep = ReportCollectorLimits().storedReports

    @Option(help: ArgumentHelp("The size of the reports to keep, in bytes.", valueName: "number"))
    var keepBytes = ReportCollectorLimits().storedBytes

    @Option(help: ArgumentHelp("The number of days to keep a report.", valueName: "number"))
    var keepDays = 90

    @Option(
        help: ArgumentHelp(
            "The number of identities to keep. They prevent that a repeated report counts twice.", valueName: "number"))
    var identities = ReportCollectorLimits().identities

    @Option(help: ArgumentHelp("The number of days to keep the identity of a report.", valueName: "number"))
    var identityDays = 8

    @OptionGroup(title: "Report desk")
    var desk: CollectorDeskOptions

    @Flag(help: "Accept other machines without TLS: reports can be read and forged in transit.")
    var dangerouslyAllowCleartext = false

    @Flag(help: "Allow reading from this machine without a token, even with --per-minute 0 or another --host.")
    var dangerouslyReadWithoutToken = false

    @Flag(help: "Accept a weaker sslmode or channel_binding of the database's URL: reports can be read in transit.")
    var dangerouslyAllowUnverifiedDatabase = false

    @Option(
        help: ArgumentHelp("A JSON file with these options. See docs/server-settings.md.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(help: "The log on standard error: text for people, or json with one object per line.")
    var logFormat = LogFormat.text

    @Flag(help: "Print JSON objects, one per line: the address, then one for each report.")
    var json = false

    var isLongRunning: Bool { true }

    func validate() throws {
        try check((cert == nil) == (key == nil), "--cert and --key must be given together")
        try check(perMinute >= 0 && keep >= 1, "--per-minute must be at least 0, and --keep at least 1")
        try check(keepBytes >= 1 << 20, "--keep-bytes must be at least 1048576")
        if let database, ReportDatabaseURL.isURL(database) {
            try check(
                !ReportDatabaseURL.hasPassword(database),
                "--database must not contain the password, because every process can read arguments: "
                    + "use PGPASSWORD or PGPASSFILE")
        }
        try check((1...36_500).contains(keepDays), "--keep-days must be 1 to 36500")
        try check(identities >= 1, "--identities must be at least 1")
        try check((1...36_500).contains(identityDays), "--identity-days must be 1 to 36500")
    }

    func run(on console: Console) async throws {
        let log = ServerLog(logFormat, server: "collector", console: console)
        try await log.reportingFailure { try await serve(log.console(console), log) }
    }

    private func serve(_ console: Console, _ log: ServerLog) async throws {
        let place = ListeningPlace(host: host, port: port)
        guard cert != nil || dangerouslyAllowCleartext || place.isLoopback else {
            throw ToolError(
                "\(Printable.text(host)) is reachable from other machines: give a certificate with --cert and --key, "
                    + "or let anyone on the network path read and forge reports with --dangerously-allow-cleartext",
                status: .usage)
        }
        let lines = CollectorLines(console: console, log: log, asJSON: json)
        var configuration = try makeConfiguration()
        for file in [key, tokenFile].compactMap(\.self) + desk.secretFiles {
            FileMode.warn(ifOpenToOthers: file, on: console)
        }
        try place.check()
        configuration.onEvent = { lines.event($0) }
        let settings = configuration
        let collector = try ReportCollector(configuration: settings, logger: log.logger)
        try await ServeCommand.run(on: console, log, stop: { collector.stop() }) {
            try await collector.run { lines.listening($0, settings, desk: collector.deskURL(at: $0)) }
        }
    }

    /// Returns the configuration for the options. Blocks on the disk.
    func makeConfiguration() throws -> ReportCollectorConfiguration {
        var configuration = ReportCollectorConfiguration()
        configuration.host = host
        configuration.port = Int(port)
        if let database, ReportDatabaseURL.isURL(database) {
            configuration.databaseURL = database
            configuration.dangerouslyAllowsUnverifiedDatabase = dangerouslyAllowUnverifiedDatabase
        } else {
            configuration.databasePath = database
        }
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
        configuration.desk = try desk.makeConfiguration()
        if !path.isEmpty { configuration.intakePaths = path }
        configuration.limits.perMinute = max(1, perMinute)
        configuration.limits.burst = perMinute
        configuration.limits.storedReports = keep
        configuration.limits.storedBytes = keepBytes
        configuration.limits.storedFor = .seconds(keepDays * 86_400)
        configuration.limits.identities = identities
        configuration.limits.identityTime = .seconds(identityDays * 86_400)
        // Shuts down within the grace period of an interruption.
        configuration.limits.shutdownTime = .milliseconds(Interruption.graceMilliseconds / 2)
        return configuration
    }
}
