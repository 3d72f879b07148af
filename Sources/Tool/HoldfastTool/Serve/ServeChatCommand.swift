import HoldfastBase
import ArgumentParser
import ChatDevServer
import HoldfastTestSupport
import HoldfastTrust

/// `holdfast serve chat`: the chat server for development. See docs/chat-server.md.
struct ServeChatCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Run a chat server for development: REST, files and WebSocket on one port.",
        discussion: """
            A bot answers automatically, unless a script or a person at the operator desk does. The operators' \
            token comes from a file or from the environment variable \(tokenVariable); without either, a token is \
            created for this run and printed. The server is not a backend for the public: it does not verify who \
            its clients are. See docs/chat-server.md and docs/operator-desk.md.

            Each option except --token can also come from the environment, as in HOLDFAST_CHAT_BOT_DELAY, or from the \
            file of --config. The command line takes precedence, then the environment.
            """,
        examples: [
            "holdfast serve chat",
            "holdfast serve chat --tls --root root.pem --in-memory",
        ]
    )

    static let tokenVariable = "HOLDFAST_OPERATOR_TOKEN"
    static let standardDatabase = "holdfast-chat.sqlite"

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 for a free port.")
    var port: UInt16 = 8_476

    @Option(
        help: ArgumentHelp("A script of operators' actions, faults and certificate changes.", valueName: "file"),
        completion: .file())
    var script: String?

    @Option(
        help: ArgumentHelp("The database (default: \(standardDatabase) in this folder).", valueName: "file"),
        completion: .file())
    var database: String?

    @Option(
        help: ArgumentHelp("The folder for files (default: next to the database).", valueName: "folder"),
        completion: .directory)
    var files: String?

    @Flag(help: "Store nothing: conversations and files are lost when the server ends.")
    var inMemory = false

    @Flag(help: "Use TLS, with temporary certificates.")
    var tls = false

    @Option(
        help: ArgumentHelp("With --tls: the file to write the root certificate to.", valueName: "file"),
        completion: .file())
    var root: String?

    @Option(
        help: ArgumentHelp("Use TLS with this certificate chain (PEM, leaf first).", valueName: "file"),
        completion: .file())
    var cert: String?

    @Option(
        help: ArgumentHelp("The certificate's private key (PEM, unencrypted).", valueName: "file"), completion: .file())
    var key: String?

    @Option(
        help: ArgumentHelp(
            "A file with valid access tokens, one per line (default: clients need no token).",
            valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("An access token. Other users of this machine can see it.", valueName: "token"))
    var token: [String] = []

    @Option(help: ArgumentHelp("A file with the operators' token.", valueName: "file"), completion: .file())
    var operatorTokenFile: String?

    @Option(
        help: ArgumentHelp("A JSON file with answers to insert at the operator desk.", valueName: "file"),
        completion: .file())
    var cannedAnswers: String?

    @Option(
        help: ArgumentHelp("A JSON merge patch for the configuration that clients receive.", valueName: "file"),
        completion: .file())
    var configurationPatch: String?

    @Flag(help: "Do not answer automatically.")
    var noBot = false

    @Option(help: ArgumentHelp("The delay of the automatic answer.", valueName: "milliseconds"))
    var botDelay = 1_200

    @Flag(help: "Accept other machines. Their clients can claim any identity.")
    var dangerouslyServeOtherMachines = false

    @Flag(help: "Accept operators with the token from other machines. See docs/chat-server.md.")
    var dangerouslyAllowRemoteOperators = false

    @Option(
        help: ArgumentHelp("A JSON file with these options. See docs/server-settings.md.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(help: "The log on standard error: text for people, or json with one object per line.")
    var logFormat = LogFormat.text

    @Flag(help: "Print a JSON object with the server's addresses.")
    var json = false

    var isLongRunning: Bool { true }

    func validate() throws {
        try check(
            !inMemory || (database == nil && files == nil),
            "--in-memory cannot be combined with --database or --files.")
        try check(root == nil || tls, "--root needs --tls.")
        try check((cert == nil) == (key == nil), "--cert and --key must be given together.")
        try check(cert == nil || !tls, "--tls cannot be combined with --cert and --key.")
        try check((0...86_400_000).contains(botDelay), "--bot-delay must be 0 to 86400000 milliseconds.")
        try check(!noBot || botDelay == 1_200, "--no-bot and --bot-delay cannot be combined.")
    }

    func run(on console: Console) async throws {
        let log = ServerLog(logFormat, server: "chat", console: console)
        try await log.reportingFailure { try await serve(log.console(console), log) }
    }

    private func serve(_ console: Console, _ log: ServerLog) async throws {
        let place = ListeningPlace(host: host, port: port)
        guard dangerouslyServeOtherMachines || place.isLoopback else {
            throw ToolError(
                "\(Printable.text(host)) is reachable from other machines, and this server does not verify who its "
                    + "clients are. Allow it with --dangerously-serve-other-machines", status: .usage)
        }
        var configuration = try makeConfiguration(on: console)
        try place.check()
        // The tool's own folder is removed however the process ends.
        let folder = inMemory ? try WorkFolder() : nil
        if let folder { configuration.filesDirectory = folder.path("files") }
        defer { withExtendedLifetime(folder) {} }
        if let root, let authority = configuration.authority {
            try write(authority.root, to: root)
        }
        // An operator from another machine must not depend on a token that only this terminal shows.
        let created = configuration.operatorToken == nil ? try OperatorToken.random() : nil
        if let created { configuration.operatorToken = created.token }
        let lines = ChatServerLines(
            console: console, log: log, asJSON: json, rootPath: root, createdToken: created?.text)
        let settings = configuration
        let server = try ChatDevServer(configuration: configuration, logger: log.logger)
        try await ServeCommand.run(on: console, log, stop: { server.stop() }) {
            // If the server does not start to listen, `run()` throws the reason.
            async let _: Void = {
                if let address = try? await server.started() { lines.listening(address, settings) }
            }()
            do {
                try await server.run()
            } catch  where Task.isCancelled {}
        }
    }

    /// Writes the root certificate. Replaces only a root certificate from an earlier run, not another file.
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

    /// Returns the configuration for the options. Blocks on the disk.
    func makeConfiguration(on console: Console) throws -> ChatDevServerConfiguration {
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
                "--dangerously-allow-remote-operators needs a token: --operator-token-file or "
                    + Self.tokenVariable, status: .usage)
        }
        configuration.dangerouslyAllowsRemoteOperators = dangerouslyAllowRemoteOperators
        if let script {
            configuration.script = try read(script, as: "script", on: console) { path throws(ChatScriptError) in
                try ChatServerScript(file: path)
            }
        }
        if let cannedAnswers {
            configuration.cannedAnswers = try read(cannedAnswers, as: "file of canned answers", on: console) {
                path throws(ChatScriptError) in try CannedAnswers(file: path)
            }
        }
        return configuration
    }

    private func acceptedTokens(on console: Console) throws -> [String]? {
        if !token.isEmpty {
            console.note("WARNING: other users of this machine can see --token: use --token-file instead")
        }
        guard let tokenFile else { return token.isEmpty ? nil : token }
        FileMode.warn(ifOpenToOthers: tokenFile, on: console)
        let bytes = try InputFile(path: tokenFile).readAll(limit: 1 << 20)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ToolError("'\(Printable.text(tokenFile))' does not contain tokens: it is not valid UTF-8")
        }
        let tokens = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
            .map { String($0.reversed().drop(while: \.isWhitespace).reversed()) }.filter { !$0.isEmpty }
        // An empty file would allow every client.
        guard !tokens.isEmpty else { throw ToolError("'\(Printable.text(tokenFile))' does not contain a token") }
        return token + tokens
    }

    /// Reads a file. Prints every mistake, one per line, in the style of compilers.
    private func read<Value>(
        _ path: String, as kind: String, on console: Console, _ body: (String) throws(ChatScriptError) -> Value
    ) throws -> Value {
        do throws(ChatScriptError) {
            return try body(path)
        } catch {
            for problem in error.problems { console.note("\(Printable.text(path)):\(problem)") }
            throw ToolError("the \(kind) \(Printable.text(path)) has errors")
        }
    }
}
