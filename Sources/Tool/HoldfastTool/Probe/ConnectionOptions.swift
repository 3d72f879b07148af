import ArgumentParser
import HoldfastTransport
import HoldfastTrust

/// The options of commands that connect to servers: trust and route.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The policy to apply in addition to the system verification.", valueName: "file"),
        completion: .file())
    var policy: String?

    @Option(help: "The policy's format (default: detected from the contents).")
    var policyFormat: PolicyFormat?

    @Option(help: LogListFile.help, completion: .file())
    var logList: String?

    @Option(
        help: ArgumentHelp("Certificates to use instead of the machine's roots.", valueName: "file"),
        completion: .file())
    var trustAnchors: String?

    @Option(help: ArgumentHelp("The time limit for each phase of a connection.", valueName: "seconds"))
    var timeout = 10

    @Option(help: ArgumentHelp("The address to connect to instead of the host's.", valueName: "address"))
    var connectTo: String?

    @Option(help: ArgumentHelp("The proxy: http, https or socks5.", valueName: "url"))
    var proxy: String?

    @OptionGroup var input: PolicyInput

    func validate() throws {
        try check(policy != nil || policyFormat == nil, "--policy-format needs --policy.")
        try check(policy != nil || logList == nil, "--log-list needs --policy.")
        try check(policy != nil || (input.host == nil && input.keys == nil), "--host and --keys need --policy.")
        try check((1...600).contains(timeout), "--timeout must be 1 to 600 seconds.")
    }

    /// Returns the policy with the list of logs, if one was given. Prints its warnings.
    func policy(on console: Console) throws -> ProbePolicy? {
        guard let policy else { return nil }
        var found = try input.policy(policy, as: policyFormat, on: console)
        found.logs = try logList.map(LogListFile.logs)
        return found
    }

    /// Returns a prober with these options. Throws one sentence.
    func prober(trust: ProbeTrust) throws -> Prober {
        var prober = Prober(trust: trust)
        if let trustAnchors { prober.anchors = try Self.anchors(atPath: trustAnchors) }
        prober.timeout = .seconds(timeout)
        prober.connectTo = try connectTo.map(Self.address)
        if let proxy {
            prober.proxies = .server(try ToolError.explaining("--proxy: ", status: .usage, ProxyServer(proxy)))
        }
        if let at = input.at { prober.clock = .fixed(at) }
        return prober
    }

    /// Reads the file of `--trust-anchors`. Throws one sentence.
    static func anchors(atPath path: String) throws(ToolError) -> TrustAnchors {
        .only(try ToolError.explaining("", CertificateLoading.certificates(atPath: path)))
    }

    /// Reads the address of `--connect-to`. Throws one sentence.
    static func address(_ text: String) throws(ToolError) -> String {
        try ToolError.explaining("--connect-to: ", status: .usage, CanonicalHost(text).text)
    }
}
