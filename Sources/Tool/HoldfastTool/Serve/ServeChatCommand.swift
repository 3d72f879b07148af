import HoldfastBase
import ArgumentParser
import ChatDevServer
import HoldfastTestSupport
import HoldfastTrust

/// `holdfast serve chat`: the chat server for development. Told in docs/chat-server.md.
struct ServeChatCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Runs a chat server for development: REST, files and the socket on one port.",
        discussion: """
            An operator answers by itself, unless a script or an operator with the token does (docs/chat-server.md). The \
            operators' token comes from a file, or from the environment variable \(tokenVariable). It is no backend for the \
            public: it believes what clients say of themselves.
            """
    )

    static let tokenVariable = "HOLDFAST_OPERATOR_TOKEN"
    static let standardDatabase = "holdfast-chat.sqlite"

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: UInt16 = 8_476

    @Option(
        help: ArgumentHelp("What happens of itself: operators' moves, faults, other identities.", valueName: "file"))
    var script: String?

    @Option(
        help: ArgumentHelp("The database; \(standardDatabase) here if none is given.", valueName: "file"))
    var database: String?

    @Option(help: ArgumentHelp("The folder for files; beside the database if none is given.", valueName: "folder"))
    var files: String?

    @Flag(help: "Keep nothing: conversations and files end with the server.")
    var inMemory = false

    @Flag(help: "Speak TLS, with certificates that are minted now and end with the server.")
    var tls = false

    @Option(
        help: ArgumentHelp(
            "Where to write the root certificate of --tls, for clients that trust it.", valueName: "file"))
    var root: String?

    @Option(
        help: ArgumentHelp("Speak TLS with this certificate chain in PEM, the server's own first.", valueName: "file"))
    var cert: String?

    @Option(help: ArgumentHelp("The certificate's private key in PEM, not encrypted.", valueName: "file"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "A file with access tokens that clients may show, one a line; without any, none is asked for.",
            valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "One such token. Everybody on this machine can see it in the command line.", valueName: "token")
    )
    var token: [String] = []

    @Option(help: ArgumentHelp("A file with the token that operators must show.", valueName: "file"))
    var operatorTokenFile: String?

    @Option(
        help: ArgumentHelp("A JSON merge patch for what clients are told of the configuration.", valueName: "file"))
    var configurationPatch: String?

    @Flag(help: "Let nobody answer by itself.")
    var noBot = false

    @Option(help: ArgumentHelp("From a message to the answer that comes by itself.", valueName: "milliseconds"))
    var botDelay = 1_200

    @Flag(help: "Listen for other machines, whose clients may name themselves as anybody.")
    var dangerouslyServeOtherMachines = false

    @Flag(help: "Let operators on other machines use the token. See docs/chat-server.md.")
    var dangerouslyAllowRemoteOperators = false

    @Flag(help: "Print one JSON object that says where the server listens.")
    var json = false

    var isLongRunning: Bool { true }

    func validate() throws {
        try check(!inMemory || (database == nil && files == nil), "--in-memory excludes --database and --files.")
        try check(root == nil || tls, "--root is for --tls.")
        try check((cert == nil) == (key == nil), "--cert and --key belong together.")
        try check(cert == nil || !tls, "--tls mints certificates, --cert and --key bring their own: only one of both.")
        try check((0...86_400_000).contains(botDelay), "--bot-delay takes 0 to 86400000 milliseconds.")
        try check(!noBot || botDelay == 1_200, "--no-bot and --bot-delay exclude each other.")
    }

    func run(on console: Console) async throws {
        let place = ListeningPlace(host: host, port: port)
        guard dangerouslyServeOtherMachines || place.isLoopback else {
            throw ToolError(
                "\(Printable.text(host)) is reachable from other machines, and this server believes what clients say of "
                    + "themselves: --dangerously-serve-other-machines allows it", status: .usage)
        }
        var configuration = try makeConfiguration(on: console)
        try await place.check()
        // The tool's own folder: it goes however the process ends.
        let folder = inMemory ? try WorkFolder() : nil
        if let folder { configuration.filesDirectory = folder.path("files") }
        defer { withExtendedLifetime(folder) {} }
        if let root, let authority = configuration.authority {
            try write(authority.root, to: root)
        }
        let lines = ChatServerLines(console: console, asJSON: json, rootPath: root)
        let settings = configuration
        let server = try ChatDevServer(configuration: configuration)
        try await ServeCommand.run(on: console, stop: { server.stop() }) {
            // If the server does not start to listen, `run()` says why.
            async let _: Void = {
                if let address = try? await server.started() { lines.listening(address, settings) }
            }()
            do {
                try await server.run()
            } catch  where Task.isCancelled {}
        }
    }

    /// Writes the root certificate. Replaces the root that an earlier run wrote, and no other file.
    private func write(_ root: Identity, to path: String) throws {
        let old = (try? CertificateLoading.certificates(atPath: path)) ?? []
        let isOwn = old.count == 1 && old.allSatisfy { $0.isSelfIssued && $0.subject == root.view.subject }
        if isOwn {
            try MetricsFile(path: path).replace(with: root.certificatePEM)
        } else {
            try NewFile.create([NewFile(path: path, bytes: Array(root.certificatePEM.utf8), isPrivate: false)])
        }
    }

    // MARK: From options to values

    private func makeConfiguration(on console: Console) throws -> ChatDevServerConfiguration {
        var configuration = ChatDevServerConfiguration()
        configuration.host = host
        configuration.port = Int(port)
        configuration.isBotEnabled = !noBot
        configuration.botDelay = .milliseconds(botDelay)
        configuration.acceptedTokens = try acceptedTokens(on: console)
        if !inMemory {
            let path = database ?? Self.standardDatabase
            configuration.databasePath = path
            configuration.filesDirectory = files ?? path + "-files"
        }
        if tls {
            let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
            configuration.authority = authority
            configuration.tls = try authority.identity(for: .genuine)
        }
        if let cert, let key {
            do throws(ChatDevServerError) {
                configuration.tls = try TLSIdentity(certificateFile: cert, privateKeyFile: key)
            } catch {
                throw ToolError("--cert and --key: \(Printable.text(error.reason))")
            }
            FileMode.warn(ifOpenToOthers: key, on: console)
        }
        if let configurationPatch {
            let bytes = try InputFile(path: configurationPatch).readAll(limit: 1 << 20)
            configuration.configurationPatch = String(decoding: bytes, as: UTF8.self)
        }
        if let operatorTokenFile {
            FileMode.warn(ifOpenToOthers: operatorTokenFile, on: console)
            configuration.operatorToken = try OperatorToken(file: operatorTokenFile)
        } else if let token = EnvironmentVariable.value(of: Self.tokenVariable) {
            configuration.operatorToken = try OperatorToken(token)
        }
        guard configuration.operatorToken != nil || !dangerouslyAllowRemoteOperators else {
            throw ToolError(
                "--dangerously-allow-remote-operators is for operators, who need a token: --operator-token-file or "
                    + Self.tokenVariable, status: .usage)
        }
        configuration.dangerouslyAllowsRemoteOperators = dangerouslyAllowRemoteOperators
        if let script { configuration.script = try readScript(script, on: console) }
        return configuration
    }

    private func acceptedTokens(on console: Console) throws -> [String]? {
        if !token.isEmpty {
            console.note(
                "WARNING: everybody on this machine can see --token in the command line: --token-file keeps it")
        }
        guard let tokenFile else { return token.isEmpty ? nil : token }
        FileMode.warn(ifOpenToOthers: tokenFile, on: console)
        let bytes = try InputFile(path: tokenFile).readAll(limit: 1 << 20)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ToolError("'\(Printable.text(tokenFile))' holds no tokens: it is no UTF-8")
        }
        let tokens = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
            .map { String($0.reversed().drop(while: \.isWhitespace).reversed()) }.filter { !$0.isEmpty }
        // An empty file would open the server to everybody.
        guard !tokens.isEmpty else { throw ToolError("'\(Printable.text(tokenFile))' holds no token") }
        return token + tokens
    }

    /// Every mistake is told, one a line, as compilers do it.
    private func readScript(_ path: String, on console: Console) throws -> ChatServerScript {
        do throws(ChatScriptError) {
            return try ChatServerScript(file: path)
        } catch {
            for problem in error.problems { console.note("\(Printable.text(path)):\(problem)") }
            throw ToolError("the script \(Printable.text(path)) cannot be used")
        }
    }
}
