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
        if let trustAnchors {
            do throws(CertificateError) {
                prober.anchors = .only(try CertificateLoading.certificates(atPath: trustAnchors))
            } catch {
                throw ToolError(error.reason)
            }
        }
        prober.timeout = .seconds(timeout)
        if let connectTo {
            do throws(HostError) {
                prober.connectTo = try CanonicalHost(connectTo).text
            } catch {
                throw ToolError("--connect-to: \(error.reason)", status: .usage)
            }
        }
        if let proxy {
            do throws(ProxyError) {
                prober.proxies = .server(try ProxyServer(proxy))
            } catch {
                throw ToolError("--proxy: \(error.reason)", status: .usage)
            }
        }
        if let at = input.at { prober.clock = .fixed(at) }
        return prober
    }
}
