import HoldfastBase
import ArgumentParser
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// `holdfast ws`: a conversation with a WebSocket server. See docs/ws.md.
struct WebSocketCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "ws",
        abstract: "Connect to a WebSocket server: interactively, or line by line through a pipe.",
        discussion: """
            Each line is sent as a text message; received messages go to standard output. At the prompt, /help \
            lists the commands. Exit codes: 0 a closing handshake; 1 the server was refused, refused the upgrade, \
            or closed the connection in another way; 2 a file or the input is unusable; 3 the server cannot be \
            reached; 64 the command line is invalid. See docs/ws.md.
            """,
        examples: [
            "holdfast ws wss://example.com/socket --policy policy.json",
            "echo hello | holdfast ws wss://example.com/socket --count 1 --json",
        ]
    )

    @Argument(help: ArgumentHelp("The URL: wss://host[:port]/path.", valueName: "url"))
    var url: String

    @OptionGroup var client: ClientOptions

    @OptionGroup var options: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "A header field of the upgrade, or @ and a file of fields, one per line. Repeatable.",
            valueName: "'name: value'"))
    var header: [String] = []

    @Option(help: ArgumentHelp("A subprotocol to offer, most preferred first. Repeatable.", valueName: "name"))
    var subprotocol: [String] = []

    @Flag(help: "Offer compression: permessage-deflate.")
    var deflate = false

    @Option(help: ArgumentHelp("The maximum size of a received message.", valueName: "bytes"))
    var maxMessageSize = WebSocketLimits().maximumMessageSize

    @Option(
        help: ArgumentHelp(
            "Idle time before a ping. Without a pong, the connection ends after 10 s; 0 for no pings.",
            valueName: "seconds"))
    var keepAlive = 30

    @Option(
        help: ArgumentHelp(
            "Close after this many received messages. The exit code is 1 if fewer come.", valueName: "number"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Seconds to wait after input ends (default: 1; with --count: 30).", valueName: "seconds"))
    var wait: Double?

    @Flag(help: "Treat piped lines that begin with a slash as commands, as at the prompt.")
    var commands = false

    @Flag(help: "Show every frame in both directions.")
    var frames = false

    @Flag(help: "Print each event as a JSON object on one line.")
    var json = false

    @Flag(help: "Allow ws: to other machines. All data can be read and changed in transit.")
    var dangerouslyAllowCleartext = false

    var isLongRunning: Bool { true }

    func validate() throws {
        try client.validate(with: options)
        try check(
            options.policy != "-" && options.input.keys != "-",
            "Standard input is used for messages: give the policy as a file.")
        try check((1...(1 << 30)).contains(maxMessageSize), "--max-message-size must be 1 to 1073741824 bytes.")
        try check((0...86_400).contains(keepAlive), "--keep-alive must be 0 to 86400 seconds.")
        try check((count ?? 1) > 0, "--count must be at least 1.")
        try check((0...86_400).contains(wait ?? 0), "--wait must be 0 to 86400 seconds.")
    }

    func run(on console: Console) async throws {
        let target = try WebSocketTarget(url)
        let trust = try client.trust(
            for: target.server, isSecure: target.isSecure, scheme: "wss", with: options, on: console)
        let prober = try options.prober(trust: trust)
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
        configuration.clientIdentity = try client.identity()
        return configuration
    }
}
