import HoldfastBase
import ArgumentParser
import HoldfastTransport
import HoldfastTrust

/// `holdfast probe`: connects to servers, and says what they show and what follows under a policy.
struct ProbeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Connects to servers, and says what they show and whether a policy lets them through.",
        discussion: """
            A server is a host, host:port, [IPv6]:port or an https URL; the port is 443 if none is given. The exit code is 0 if \
            everything is as expected, 1 if a server is refused that should be allowed or the other way round, 2 if a file \
            cannot be used, 3 if there is no verdict on a server, 64 if the command line is wrong. docs/probe.md tells more.
            """
    )

    @Argument(help: ArgumentHelp("The servers.", valueName: "host[:port]"))
    var servers: [String] = []

    @Option(
        help: ArgumentHelp("A file of servers, one a line; # begins a comment. - is standard input.", valueName: "file")
    )
    var hosts: String?

    @Option(
        help: ArgumentHelp(
            "The certificates that an app ships: checks that it connects with them, and does not connect to an impostor.",
            valueName: "folder"))
    var trustedCertificates: String?

    @Option(help: "What is expected of the servers.")
    var expect: ProbeExpectation?

    @Option(help: "How results are written.")
    var format: ProbeFormat?

    @Flag(help: "The same as --format json.")
    var json = false

    @Option(help: ArgumentHelp("Warn when a certificate ends within so many days.", valueName: "days"))
    var warnDays = 14

    @Option(help: ArgumentHelp("The same for the certificates above the server's own.", valueName: "days"))
    var warnDaysIssuers: Int?

    @Option(help: ArgumentHelp("The same for the policy's rule.", valueName: "days"))
    var warnDaysPolicy: Int?

    @Flag(help: "Probe again and again, and say what has changed, until SIGINT or SIGTERM.")
    var watch = false

    @Option(
        help: ArgumentHelp("The time between two rounds of a watch, a tenth more or less; 300.", valueName: "seconds"))
    var interval: Int?

    @Option(
        help: ArgumentHelp("End a watch after so many rounds, with the exit code of the last.", valueName: "number"))
    var rounds: Int?

    @Option(help: ArgumentHelp("Write metrics to this file as well, for a textfile collector.", valueName: "file"))
    var metricsFile: String?

    @OptionGroup var connection: ConnectionOptions

    var isLongRunning: Bool { watch }

    func validate() throws {
        try check(
            connection.policy == nil || trustedCertificates == nil,
            "--policy and --trusted-certificates exclude each other.")
        try check(trustedCertificates == nil || expect == nil, "--trusted-certificates expects what it must itself.")
        try check(trustedCertificates == nil || !watch, "The check with an impostor is not for a watch.")
        try check(!json || format == nil || format == .json, "--json and --format contradict each other.")
        try check(connection.policy != nil || warnDaysPolicy == nil, "--warn-days-policy is for a --policy.")
        try check(watch || (interval == nil && rounds == nil), "--interval and --rounds are for a --watch.")
        try check(!watch || connection.input.at == nil, "--at is not for a watch.")
        try check((1...604_800).contains(interval ?? 1), "--interval takes 1 to 604800 seconds.")
        try check((rounds ?? 1) > 0, "--rounds takes a number from 1.")
        for days in [warnDays, warnDaysIssuers, warnDaysPolicy].compactMap(\.self) {
            try check((0...36_500).contains(days), "Days to warn are 0 to 36500.")
        }
        try check(
            [hosts, connection.policy, connection.input.keys].count { $0 == "-" } < 2,
            "Standard input can be read once.")
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
            metricsFile: metricsFile.map(MetricsFile.init), console: console)
        let status: ToolStatus =
            if watch {
                try await run.watch(
                    ProbeWatcher(pace: ProbePace(interval: .seconds(interval ?? 300)), rounds: rounds))
            } else {
                try await run.once()
            }
        guard status == .success else { throw ToolError("", status: status) }
    }

    private func prober(on console: Console) throws -> Prober {
        var prober = try connection.prober(trust: try trust(on: console))
        prober.expectation = expect ?? .allow
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

/// What is expected of a server.
enum ProbeExpectation: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// The connection is allowed.
    case allow
    /// The connection is refused by the verdict on its certificates; a server that is not there is no refusal.
    case block
}

/// How results are written.
enum ProbeFormat: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// For a person.
    case text
    /// One JSON object; with `--watch` one a line and round.
    case json
    /// Prometheus' text format, version 0.0.4.
    case prometheus
}
