import HoldfastBase
import ArgumentParser
import HTTPTypes
import HoldfastNIO
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// `holdfast ws`: a conversation with a WebSocket server. Told in docs/ws.md.
struct WebSocketCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "ws",
        abstract: "Talks to a WebSocket server: at a prompt, or line by line through a pipe.",
        discussion: """
            Each line is sent as a text; what comes goes to standard output. At a prompt /help lists the commands. The exit \
            code is 0 after a closing handshake, 1 if the server is refused, does not grant the upgrade or ends the connection \
            otherwise, 2 if a file or the input cannot be used, 3 if the server is not there, 64 if the command line is wrong. \
            docs/ws.md tells more.
            """
    )

    @Argument(help: ArgumentHelp("The server and the path: wss://host[:port]/path.", valueName: "url"))
    var url: String

    @Option(
        help: ArgumentHelp(
            "A key that the server's chain must have, beside the system verification. May be given several times.",
            valueName: "sha256/base64"))
    var pin: [String] = []

    @Option(
        help: ArgumentHelp("Trusts the certificates that an app ships, and nothing else.", valueName: "folder"))
    var trustedCertificates: String?

    @OptionGroup var options: ConnectionOptions

    @Option(
        help: ArgumentHelp("The certificate chain in PEM to show to a server that asks for one.", valueName: "file"))
    var cert: String?

    @Option(help: ArgumentHelp("The certificate's private key in PEM, not encrypted.", valueName: "file"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "A header field of the upgrade, or @ and a file of them, one a line. May be given several times.",
            valueName: "'name: value'"))
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            "A subprotocol to offer, the most wanted first. May be given several times.", valueName: "name"))
    var subprotocol: [String] = []

    @Flag(help: "Offer compression: permessage-deflate.")
    var deflate = false

    @Option(help: ArgumentHelp("The most bytes of a message that may come.", valueName: "bytes"))
    var maxMessageSize = WebSocketLimits().maximumMessageSize

    @Option(
        help: ArgumentHelp(
            "The silence after which a ping is sent, and 10 s later the connection is given up; 0 for never.",
            valueName: "seconds"))
    var keepAlive = 30

    @Option(help: ArgumentHelp("Close after so many messages; 1 is the exit code if fewer come.", valueName: "number"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Close when nothing has come for so long since the input ended; 1, with --count 30.", valueName: "seconds"))
    var wait: Double?

    @Flag(help: "Take lines of a pipe that begin with a slash for commands, as at a prompt.")
    var commands = false

    @Flag(help: "Show every frame of both directions.")
    var frames = false

    @Flag(help: "Print one JSON object for each event, one a line.")
    var json = false

    @Flag(help: "Connect to other machines without TLS: everybody on the way reads and changes everything.")
    var dangerouslyAllowCleartext = false

    var isLongRunning: Bool { true }

    func validate() throws {
        let judges = [!pin.isEmpty, options.policy != nil, trustedCertificates != nil]
        try check(
            judges.count(where: \.self) < 2, "--pin, --policy and --trusted-certificates exclude each other.")
        try check(
            trustedCertificates == nil || options.trustAnchors == nil,
            "--trusted-certificates and --trust-anchors exclude each other: these certificates are trusted, and nothing else."
        )
        try check(
            options.policy != "-" && options.input.keys != "-",
            "Standard input is what is sent: give the policy as a file.")
        try check((cert == nil) == (key == nil), "--cert and --key belong together.")
        try check((1...(1 << 30)).contains(maxMessageSize), "--max-message-size takes 1 to 1073741824 bytes.")
        try check((0...86_400).contains(keepAlive), "--keep-alive takes 0 to 86400 seconds.")
        try check((count ?? 1) > 0, "--count takes a number from 1.")
        try check((0...86_400).contains(wait ?? 0), "--wait takes 0 to 86400 seconds.")
    }

    func run(on console: Console) async throws {
        let target = try WebSocketTarget(url)
        let prober = try options.prober(trust: try trust(for: target, on: console))
        let call = WebSocketCommandRun(
            target: target, prober: prober, configuration: try configuration(prober, for: target),
            options: try webSocketOptions(), plan: plan(for: console), showsFrames: frames)
        let start = ContinuousClock.now
        let screen = EventTerminal<WebSocketEvent>(console: console, asJSON: json) { start.duration(to: .now) }
        let lines = InputLines(limit: WebSocketSession.lineLimit, read: console.input)
        try await call.run(screen, lines)
    }

    // MARK: From options to values

    func plan(for console: Console) -> WebSocketPlan {
        var plan = WebSocketPlan()
        plan.isPrompt = console.inputIsTerminal
        plan.takesCommands = plan.isPrompt || commands
        plan.count = count
        plan.quiet = Duration(clampingSeconds: wait ?? (count == nil ? 1 : 30))
        plan.pongTimeout = .seconds(options.timeout)
        return plan
    }

    func webSocketOptions() throws -> WebSocketOptions {
        var fields = HTTPFields()
        for field in try header.flatMap(HeaderArgument.fields) { fields.append(field) }
        var limits = WebSocketLimits()
        limits.maximumMessageSize = maxMessageSize
        limits.maximumFrameSize = maxMessageSize
        return WebSocketOptions(
            headers: fields, subprotocols: subprotocol, upgradeTimeout: .seconds(options.timeout),
            keepAlive: keepAlive == 0 ? nil : WebSocketKeepAlive(interval: .seconds(keepAlive)), limits: limits,
            deflate: deflate ? WebSocketDeflate() : nil)
    }

    func configuration(_ prober: Prober, for target: WebSocketTarget) throws -> TransportConfiguration {
        var configuration = prober.configuration(
            trust: prober.trust.context(anchors: prober.anchors), for: target.server)
        configuration.dangerouslyAllowsCleartext = dangerouslyAllowCleartext
        if let cert, let key {
            do throws(ClientIdentityError) {
                configuration.clientIdentity = try ClientIdentity(certificateFile: cert, privateKeyFile: key)
            } catch {
                throw ToolError("--cert and --key: \(Printable.text(error.reason))")
            }
        }
        return configuration
    }

    private func trust(for target: WebSocketTarget, on console: Console) throws -> ProbeTrust {
        if !target.isSecure, let option = optionOfTLS {
            throw ToolError("\(option) is for TLS, which ws: does without; wss: has it", status: .usage)
        }
        if !pin.isEmpty { return .pins(try PinArgument.policy(pin, for: [target.server.host])) }
        if let trustedCertificates { return .certificates(try ProbeShelf(path: trustedCertificates)) }
        guard let policy = try options.policy(on: console) else { return .system }
        let trust = ProbeTrust.policy(policy)
        let now = options.input.time
        if trust.rules(for: target.server.host, at: now).allSatisfy(\.isExcluded) {
            console.note("warning: the policy has no rule for \(target.server.host)")
        }
        return trust
    }

    /// The first of the options that were given and mean nothing without TLS.
    private var optionOfTLS: String? {
        let options = [
            ("--pin", !pin.isEmpty), ("--policy", options.policy != nil),
            ("--trusted-certificates", trustedCertificates != nil), ("--trust-anchors", options.trustAnchors != nil),
            ("--at", options.input.at != nil), ("--cert", cert != nil),
        ]
        return options.first { $0.1 }?.0
    }
}
