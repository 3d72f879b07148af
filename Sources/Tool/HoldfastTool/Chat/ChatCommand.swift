import HoldfastBase
import ArgumentParser
import ChatCenter
import Foundation
import HoldfastFormats
import HoldfastTransport
import HoldfastTrust

/// `holdfast chat`: a conversation through the chat SDK. Told in docs/chat.md.
struct ChatCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chats through the SDK: at a prompt, or line by line through a pipe.",
        discussion: """
            Each line is sent as a message; what the other side says goes to standard output. At a prompt /help lists the \
            commands. The exit code is 0 if every message was sent, 1 if one was not, the server is refused, or fewer messages \
            came than --count, 2 if a file or the input cannot be used, 3 if the server is not there, 64 if the command line is \
            wrong. docs/chat.md tells more.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The server: its REST at https://HOST, its socket at /socket, its files at /files.", valueName: "host"))
    var server: String?

    @Option(help: ArgumentHelp("The REST address, in place of the host; with --socket and --files.", valueName: "url"))
    var rest: String?

    @Option(help: ArgumentHelp("The socket's address.", valueName: "url"))
    var socket: String?

    @Option(help: ArgumentHelp("The file store's address.", valueName: "url"))
    var files: String?

    @Option(help: ArgumentHelp("Who chats.", valueName: "id"))
    var user = "holdfast"

    @Option(help: "The name that operators see.")
    var name: String?

    @Option(help: ArgumentHelp("A file with the access token, sent as Authorization.", valueName: "file"))
    var tokenFile: String?

    @Option(help: "The provider's identifier.")
    var provider = "holdfast"

    @Option(help: "The version of the protocol: 17 to 21.")
    var apiVersion: UInt = 21

    @Option(
        help: ArgumentHelp(
            "A key that the server's chain must have, beside the system verification. May be given several times.",
            valueName: "sha256/base64"))
    var pin: [String] = []

    @Option(help: ArgumentHelp("The policy to judge by beside the system verification.", valueName: "file"))
    var policy: String?

    @Option(help: "The policy's format; recognised by the contents if it is not given.")
    var policyFormat: PolicyFormat?

    @Option(help: ArgumentHelp("Trusts the certificates that an app ships, and nothing else.", valueName: "folder"))
    var trustedCertificates: String?

    @Option(help: ArgumentHelp("Certificates that take the place of the machine's roots.", valueName: "file"))
    var trustAnchors: String?

    @Option(help: ArgumentHelp("The address to connect to in place of the host.", valueName: "address"))
    var connectTo: String?

    @Option(help: ArgumentHelp("Where the conversation is kept; nowhere if none is given.", valueName: "folder"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "End after so many messages of the other side; 1 is the exit code if fewer come.", valueName: "number"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "End when nothing has come for so long since the input ended; 1, with --count 30.", valueName: "seconds"))
    var wait: Double?

    @Flag(help: "Take lines of a pipe that begin with a slash for commands, as at a prompt.")
    var commands = false

    @Flag(help: "Print one JSON object for each change, one a line.")
    var json = false

    var isLongRunning: Bool { true }

    func validate() throws {
        let addresses = [rest, socket, files].compactMap(\.self).count
        try check(
            server == nil ? addresses == 3 : addresses == 0,
            "Either a host is needed, or --rest, --socket and --files together.")
        let judges = [!pin.isEmpty, policy != nil, trustedCertificates != nil]
        try check(judges.count(where: \.self) < 2, "--pin, --policy and --trusted-certificates exclude each other.")
        try check(
            trustedCertificates == nil || trustAnchors == nil,
            "--trusted-certificates and --trust-anchors exclude each other: these certificates are trusted, and nothing else."
        )
        try check(policy != nil || policyFormat == nil, "--policy-format is for a --policy.")
        try check(policy != "-", "Standard input is what is sent: give the policy as a file.")
        try check(APIVersion(rawValue: apiVersion) != nil, "--api-version takes 17 to 21.")
        try check((count ?? 1) > 0, "--count takes a number from 1.")
        try check((0...86_400).contains(wait ?? 0), "--wait takes 0 to 86400 seconds.")
        try check(!user.isEmpty, "--user takes a name.")
    }

    func run(on console: Console) async throws {
        let start = ContinuousClock.now
        let terminal = EventTerminal<ChatChange>(console: console, asJSON: json) { start.duration(to: .now) }
        let call = try makeCall(on: console)
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
        // Whoever holds the last reference to it removes it.
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
            throw ToolError("'\(Printable.text(tokenFile))' holds no token: it is no UTF-8")
        }
        return ChatAuth(token: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    func plan(for console: Console, isSecure: Bool) -> ChatPlan {
        var plan = ChatPlan()
        plan.isPrompt = console.inputIsTerminal
        plan.takesCommands = plan.isPrompt || commands
        plan.count = count
        plan.trust = isSecure ? trust : "none, this is cleartext"
        plan.quiet = Duration(clampingSeconds: wait ?? (count == nil ? 1 : 30))
        return plan
    }

    /// What judges, in words.
    private var trust: String {
        let system = trustAnchors == nil ? "the system's verification" : "the verification by --trust-anchors"
        if !pin.isEmpty { return "\(system) and \(pin.count) pin\(pin.count == 1 ? "" : "s")" }
        if let policy { return "\(system) and the policy \(Printable.text(policy))" }
        if let trustedCertificates { return "the keys of \(Printable.text(trustedCertificates)) alone" }
        return system
    }

    private func decideTrust(
        for address: ChatServerAddress, _ environment: inout ChatEnvironment, _ network: inout ChatNetworkConfig,
        _ judge: inout ProbeTrust, on console: Console
    ) throws {
        if !address.isSecure, let option = optionOfTLS {
            throw ToolError("\(option) is for TLS, which this address does without", status: .usage)
        }
        if let trustAnchors { environment.anchors = try ConnectionOptions.anchors(atPath: trustAnchors) }
        if !pin.isEmpty {
            let policy = try PinArgument.policy(pin, for: address.hosts)
            judge = .pins(policy)
            network.sslPinning = SSLPinningConfig(policy: policy)
        } else if let policy {
            let input = try PolicyInput.parse([])
            let file = try input.policy(policy, as: policyFormat, on: console)
            judge = .policy(file)
            let trust = judge
            for host in address.hosts where trust.rules(for: host, at: input.time).allSatisfy(\.isExcluded) {
                console.note("warning: no rule of the policy pins \(host)")
            }
            network.sslPinning = SSLPinningConfig(policy: file.policy)
        } else if let trustedCertificates {
            let shelf = try ProbeShelf(path: trustedCertificates)
            judge = .certificates(shelf)
            network.sslPinning = SSLPinningConfig(
                trustedCertificates: try shelf.pins.certificates.map { try ChatSSLCertificate(der: $0.der) })
        }
    }

    /// The first of the options that were given and mean nothing without TLS.
    private var optionOfTLS: String? {
        let options = [
            ("--pin", !pin.isEmpty), ("--policy", policy != nil),
            ("--trusted-certificates", trustedCertificates != nil),
            ("--trust-anchors", trustAnchors != nil),
        ]
        return options.first { $0.1 }?.0
    }
}
