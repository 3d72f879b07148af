import ArgumentParser
import HoldfastTransport
import HoldfastTrust

/// The options of commands that connect to servers: what they judge by, and the way.
struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The policy to judge by beside the system verification.", valueName: "file"))
    var policy: String?

    @Option(help: "The policy's format; recognised by the contents if it is not given.")
    var policyFormat: PolicyFormat?

    @Option(help: ArgumentHelp("Certificates that take the place of the machine's roots.", valueName: "file"))
    var trustAnchors: String?

    @Option(help: ArgumentHelp("How long each phase of a connection may take.", valueName: "seconds"))
    var timeout = 10

    @Option(help: ArgumentHelp("The address to connect to in place of the host.", valueName: "address"))
    var connectTo: String?

    @Option(help: ArgumentHelp("The proxy: http, https or socks5.", valueName: "url"))
    var proxy: String?

    @OptionGroup var input: PolicyInput

    func validate() throws {
        try check(policy != nil || policyFormat == nil, "--policy-format is for a --policy.")
        try check(policy != nil || (input.host == nil && input.keys == nil), "--host and --keys are for a --policy.")
        try check((1...600).contains(timeout), "--timeout takes 1 to 600 seconds.")
    }

    /// The policy, if one is given. Its warnings are told.
    func policy(on console: Console) throws -> ProbePolicy? {
        try policy.map { try input.policy($0, as: policyFormat, on: console) }
    }

    /// What connects by these options. Throws one sentence.
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
