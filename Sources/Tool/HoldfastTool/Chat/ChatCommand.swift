import HoldfastBase
import ArgumentParser
import ChatCenter
import Foundation
import HoldfastTransport
import HoldfastTrust

/// `holdfast chat`: a conversation through the chat SDK. See docs/chat.md.
struct ChatCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat through the SDK: interactively, or line by line through a pipe.",
        discussion: """
            Each line is sent as a message; received messages go to standard output. At the prompt, /help lists the \
            commands. Exit codes: 0 every message was sent; 1 a message was not sent, the server was refused, or fewer \
            messages than --count came; 2 a file or the input is unusable; 3 the server cannot be reached; 64 the \
            command line is invalid. See docs/chat.md.
            """,
        examples: [
            "holdfast chat chat.example.com --trusted-certificates Certificates",
            "echo Hello | holdfast chat chat.example.com --user maria --count 1",
            "holdfast chat chat.example.com --browser",
        ]
    )

    @Argument(
        help: ArgumentHelp(
            "The server: REST at https://HOST, the socket at /socket, files at /files.", valueName: "host"))
    var server: String?

    @Option(help: ArgumentHelp("The REST address, instead of a host; needs --socket and --files.", valueName: "url"))
    var rest: String?

    @Option(help: ArgumentHelp("The WebSocket address.", valueName: "url"))
    var socket: String?

    @Option(help: ArgumentHelp("The file server's address.", valueName: "url"))
    var files: String?

    @Option(help: ArgumentHelp("The user's identifier.", valueName: "id"))
    var user = "holdfast"

    @Option(help: "The user's name, as operators see it.")
    var name: String?

    @Option(
        help: ArgumentHelp("A file with the access token for the Authorization header.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(help: "The provider's identifier.")
    var provider = "holdfast"

    @Option(help: "The protocol version: 17 to 21.")
    var apiVersion: UInt = 21

    @Option(
        help: ArgumentHelp(
            "A key that the server's chain must contain, in addition to the system verification. Repeatable.",
            valueName: "sha256/base64"))
    var pin: [String] = []

    @Option(
        help: ArgumentHelp("The policy to apply in addition to the system verification.", valueName: "file"),
        completion: .file())
    var policy: String?

    @Option(help: "The policy's format (default: detected from the contents).")
    var policyFormat: PolicyFormat?

    @Option(help: LogListFile.help, completion: .file())
    var logList: String?

    @Option(
        help: ArgumentHelp("Trust only this folder's certificates, as an app ships them.", valueName: "folder"),
        completion: .directory)
    var trustedCertificates: String?

    @Option(
        help: ArgumentHelp("Certificates to use instead of the machine's roots.", valueName: "file"),
        completion: .file())
    var trustAnchors: String?

    @Option(help: ArgumentHelp("The address to connect to instead of the host's.", valueName: "address"))
    var connectTo: String?

    @Option(
        help: ArgumentHelp("The folder that stores the conversation (default: not stored).", valueName: "folder"),
        completion: .directory)
    var store: String?

    @Option(
        help: ArgumentHelp(
            "End after this many received messages. The exit code is 1 if fewer come.", valueName: "number"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Seconds to wait after input ends (default: 1; with --count: 30).", valueName: "seconds"))
    var wait: Double?

    @Flag(help: "Treat piped lines that begin with a slash as commands, as at the prompt.")
    var commands = false

    @Flag(help: "Print each change as a JSON object on one line.")
    var json = false

    @Flag(help: "Serve the chat as a page for a browser on this machine, until the command is interrupted.")
    var browser = false

    @Option(help: "With --browser: the page's port (default: a free port).")
    var port: UInt16?

    var isLongRunning: Bool { true }

    func validate() throws {
        let addresses = [rest, socket, files].compactMap(\.self).count
        try check(
            server == nil ? addresses == 3 : addresses == 0,
            "Give either a host, or --rest, --socket and --files together.")
        let judges = [!pin.isEmpty, policy != nil, trustedCertificates != nil]
        try check(judges.count(where: \.self) < 2, "--pin, --policy and --trusted-certificates cannot be combined.")
        try check(
            trustedCertificates == nil || trustAnchors == nil,
            "--trusted-certificates and --trust-anchors cannot be combined: only the folder's certificates are trusted."
        )
        try check(policy != nil || policyFormat == nil, "--policy-format needs --policy.")
        try check(policy != nil || logList == nil, "--log-list needs --policy.")
        try check(policy != "-", "Standard input is used for messages: give the policy as a file.")
        try check(APIVersion(rawValue: apiVersion) != nil, "--api-version must be 17 to 21.")
        try check((count ?? 1) > 0, "--count must be at least 1.")
        try check((0...86_400).contains(wait ?? 0), "--wait must be 0 to 86400 seconds.")
        try check(!user.isEmpty, "--user must not be empty.")
        try check(
            !browser || (count == nil && wait == nil && !json && !commands),
            "--browser cannot be combined with --count, --wait, --json or --commands.")
        try check(browser || port == nil, "--port needs --browser.")
    }

    func run(on console: Console) async throws {
        let start = ContinuousClock.now
        let terminal = EventTerminal<ChatChange>(console: console, asJSON: json) { start.duration(to: .now) }
        let call = try makeCall(on: console)
        if browser { return try await ChatPageRun(call: call, port: port ?? 0).run(on: console) }
        let lines = InputLines(limit: ChatSession.lineLimit, read: console.input)
        let status = try await call.run(terminal, lines)
        guard status == .success else { throw ToolError("", status: status) }
    }

    // MARK: From options to values

    private func makeCall(on console: Console) throws -> ChatCommandRun {
        let address = try ChatServerAddress(
            server: server, rest: rest, socket: socket, files: files,
            version: APIVersion(rawValue: apiVersion) ?? .api17)
        var environment = ChatEnvironment()
        var network = ChatNetworkConfig()
        var prober = Prober(trust: .system)
        try decideTrust(for: address, &environment, &network, &prober.trust, on: console)
        prober.anchors = environment.anchors
        if let connectTo {
            let target = try ConnectionOptions.address(connectTo)
            prober.connectTo = target
            for host in address.hosts { environment.hostOverrides[host.text] = target }
        }
        // The folder is removed with the last reference to it.
        let folder = try store == nil ? WorkFolder() : nil
        var configuration = ChatConfig(transportConfig: address.transport, networkConfig: network)
        configuration.storageDirectory = store.map { URL(fileURLWithPath: $0) } ?? folder?.url("chat")
        let call = ChatCommandRun(
            provider: provider, configuration: configuration, environment: environment,
            user: ChatUser(identifier: user, name: name), auth: try auth(on: console),
            plan: plan(for: console, isSecure: address.isSecure),
            judge: address.server.map { ChatJudge(server: $0, prober: prober) }, folder: folder)
        return call
    }

    private func auth(on console: Console) throws -> ChatAuth {
        guard let tokenFile else { return ChatAuth() }
        FileMode.warn(ifOpenToOthers: tokenFile, on: console)
        let bytes = try InputFile(path: tokenFile).readAll(limit: 16_384)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ToolError("'\(Printable.text(tokenFile))' does not contain a token: it is not valid UTF-8")
        }
        return ChatAuth(token: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    func plan(for console: Console, isSecure: Bool) -> ChatPlan {
        var plan = ChatPlan()
        plan.isPrompt = console.inputIsTerminal
        plan.takesCommands = plan.isPrompt || commands
        plan.count = count
        plan.trust = isSecure ? trust : "none (cleartext)"
        plan.quiet = Duration(clampingSeconds: wait ?? (count == nil ? 1 : 30))
        return plan
    }

    /// Describes what decides whether the server is trusted.
    private var trust: String {
        let system = trustAnchors == nil ? "the system's verification" : "the verification by --trust-anchors"
        if !pin.isEmpty { return "\(system) and \(pin.count) pin\(pin.count == 1 ? "" : "s")" }
        if let policy { return "\(system) and the policy \(Printable.text(policy))" }
        if let trustedCertificates { return "only the keys of \(Printable.text(trustedCertificates))" }
        return system
    }

    private func decideTrust(
        for address: ChatServerAddress, _ environment: inout ChatEnvironment, _ network: inout ChatNetworkConfig,
        _ judge: inout ProbeTrust, on console: Console
    ) throws {
        if !address.isSecure, let option = optionOfTLS {
            throw ToolError("\(option) applies to TLS, and this address uses none", status: .usage)
        }
        if let trustAnchors { environment.anchors = try ConnectionOptions.anchors(atPath: trustAnchors) }
        if !pin.isEmpty {
            let policy = try PinArgument.policy(pin, for: address.hosts)
            judge = .pins(policy)
            network.sslPinning = SSLPinningConfig(policy: policy)
        } else if let policy {
            let input = try PolicyInput.parse([])
            var file = try input.policy(policy, as: policyFormat, on: console)
            file.logs = try logList.map(LogListFile.logs)
            judge = .policy(file)
            let trust = judge
            for host in address.hosts where trust.rules(for: host, at: input.time).allSatisfy(\.isExcluded) {
                console.note("warning: the policy has no rule for \(host)")
            }
            network.sslPinning = SSLPinningConfig(policy: file.policy)
            network.sslPinning.logs = file.logs
        } else if let trustedCertificates {
            let shelf = try ProbeShelf(path: trustedCertificates)
            judge = .certificates(shelf)
            network.sslPinning = SSLPinningConfig(
                trustedCertificates: try shelf.pins.certificates.map { try ChatSSLCertificate(der: $0.der) })
        }
    }

    /// The first given option that has no effect without TLS.
    private var optionOfTLS: String? {
        let options = [
            ("--pin", !pin.isEmpty), ("--policy", policy != nil),
            ("--trusted-certificates", trustedCertificates != nil),
            ("--trust-anchors", trustAnchors != nil),
        ]
        return options.first { $0.1 }?.0
    }
}
