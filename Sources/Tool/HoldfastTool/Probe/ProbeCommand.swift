import HoldfastLint
import HoldfastBase
import ArgumentParser

/// `holdfast probe`: connects to servers, and reports what they present and whether a policy accepts it.
struct ProbeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Connect to servers, and show what they present and whether a policy accepts it.",
        discussion: """
            A server is a host, host:port, [IPv6]:port or an https URL (default port: 443). Exit codes: 0 \
            everything is as expected, 1 a server was refused but should be allowed, or the other way round, 2 a \
            file is unusable, 3 there is no verdict on a server, 64 the command line is invalid. See \
            docs/probe.md.
            """,
        examples: [
            "holdfast probe example.com",
            "holdfast probe example.com:8443 --policy policy.json",
            "holdfast probe example.com --policy policy.json --format github",
            "holdfast probe example.com --revocation hard",
            "holdfast probe --hosts servers.txt --watch --metrics-file holdfast.prom",
        ]
    )

    @Argument(help: ArgumentHelp("The servers.", valueName: "host[:port]"))
    var servers: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file of servers, one per line; # begins a comment. - is standard input.", valueName: "file"),
        completion: .file()
    )
    var hosts: String?

    @Option(
        help: ArgumentHelp(
            "The certificates that an app ships: check that it accepts its server and refuses an impostor.",
            valueName: "folder"), completion: .directory)
    var trustedCertificates: String?

    @Option(help: "The expected result.")
    var expect: ProbeExpectation?

    @Option(help: "The output format.")
    var format: ProbeFormat?

    @Flag(help: "Same as --format json.")
    var json = false

    @Option(help: ArgumentHelp("Warn if the server's certificate expires within this many days.", valueName: "days"))
    var warnDays = 14

    @Option(help: ArgumentHelp("The same for the other certificates of the chain.", valueName: "days"))
    var warnDaysIssuers: Int?

    @Option(help: ArgumentHelp("The same for the policy's rule.", valueName: "days"))
    var warnDaysPolicy: Int?

    @Flag(help: "Probe repeatedly and report changes, until SIGINT or SIGTERM.")
    var watch = false

    @Option(help: ArgumentHelp("With --watch: time between two rounds, ±10 % (default: 300).", valueName: "seconds"))
    var interval: Int?

    @Option(
        help: ArgumentHelp(
            "With --watch: end after this many rounds, with the last round's exit code.", valueName: "number"))
    var rounds: Int?

    @Option(
        help: ArgumentHelp("Also write metrics to this file, for a textfile collector.", valueName: "file"),
        completion: .file())
    var metricsFile: String?

    @Option(
        help: ArgumentHelp(
            "Ask the authorities whether the certificates were revoked: off, soft (without an answer: allow), hard.",
            valueName: "mode"))
    var revocation = ProbeRevocation.off

    @OptionGroup var colors: ColorOption

    @OptionGroup var connection: ConnectionOptions

    var isLongRunning: Bool { watch }

    func validate() throws {
        try check(
            connection.policy == nil || trustedCertificates == nil,
            "--policy and --trusted-certificates cannot be combined.")
        try check(
            trustedCertificates == nil || expect == nil, "--trusted-certificates cannot be combined with --expect.")
        try check(trustedCertificates == nil || !watch, "--trusted-certificates cannot be combined with --watch.")
        try check(!json || format == nil || format == .json, "--json and --format contradict each other.")
        try check(
            !watch || (format != .sarif && format != .github),
            "--format sarif and github cannot be combined with --watch.")
        try colors.check(printsText: !json && (format ?? .text) == .text)
        try check(connection.policy != nil || warnDaysPolicy == nil, "--warn-days-policy needs --policy.")
        try check(watch || (interval == nil && rounds == nil), "--interval and --rounds need --watch.")
        try check(!watch || connection.input.at == nil, "--at cannot be combined with --watch.")
        try check((1...604_800).contains(interval ?? 1), "--interval must be 1 to 604800 seconds.")
        try check((rounds ?? 1) > 0, "--rounds must be at least 1.")
        for days in [warnDays, warnDaysIssuers, warnDaysPolicy].compactMap(\.self) {
            try check((0...36_500).contains(days), "The --warn-days options must be 0 to 36500.")
        }
        try check(
            [hosts, connection.policy, connection.input.keys].count { $0 == "-" } < 2,
            "Standard input can be given only once.")
    }

    func run(on console: Console) async throws {
        let list = try hosts.map { path in
            (
                name: path == "-" ? "standard input" : Printable.text(path),
                bytes: try console.readAll(path, limit: ProbeTargetList.sizeLimit)
            )
        }
        let targets = try ProbeTargetList.read(servers, file: list)
        let run = ProbeRun(
            prober: try prober(on: console), targets: targets, format: format ?? (json ? .json : .text),
            style: console.outputStyle(colors.color),
            metricsFile: metricsFile.map(MetricsFile.init), console: console)
        let status: ToolStatus =
            if watch {
                try await run.watch(ProbeWatcher(pace: ProbePace(interval: .seconds(interval ?? 300)), rounds: rounds))
            } else {
                try await run.once()
            }
        guard status == .success else { throw ToolError("", status: status) }
    }

    private func prober(on console: Console) throws -> Prober {
        var prober = try connection.prober(trust: try trust(on: console))
        prober.expectation = expect ?? .allow
        prober.revocation = revocation.evaluator(prober)
        prober.thresholds = ProbeThresholds(
            leaf: Int64(warnDays), issuers: Int64(warnDaysIssuers ?? warnDays),
            policy: Int64(warnDaysPolicy ?? warnDays))
        return prober
    }

    private func trust(on console: Console) throws -> ProbeTrust {
        if let policy = try connection.policy(on: console) { return .policy(policy) }
        if let trustedCertificates { return .certificates(try ProbeShelf(path: trustedCertificates)) }
        return .system
    }
}

/// The expected result for a server.
enum ProbeExpectation: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// The connection is allowed.
    case allow
    /// The connection is refused by the verdict on its certificates. An unreachable server does not count as refused.
    case block
}

/// The output format.
enum ProbeFormat: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// Text for a person.
    case text
    /// One JSON object; with `--watch`, one per round and line.
    case json
    /// Prometheus' text format, version 0.0.4.
    case prometheus
    /// A SARIF 2.1.0 log, for code scanning.
    case sarif
    /// Annotations of GitHub Actions.
    case github
}
