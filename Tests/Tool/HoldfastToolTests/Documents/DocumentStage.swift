import Foundation
import HoldfastTestSupport
import HoldfastTransportTestSupport

@testable import HoldfastTool

/// The environment for the commands of one document: a folder with the files that they use, and servers instead of the
/// documented ones.
struct DocumentStage: Sendable {
    private let files: DocumentFiles
    /// The replacements in commands, in this order.
    private let hosts: [(documented: String, served: String)]
    private let environment: [String: String]

    /// The tool that was built with the tests.
    private static let tool: String? = {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        return [beside, Documentation.root.path + "/.build/debug"].map { $0 + "/holdfast" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The address that a server of the tool prints as JSON.
    private struct Ready: Decodable {
        var url: String?
        var rest: String?

        /// `127.0.0.1:PORT`, without the scheme.
        var authority: String { (url ?? rest ?? "").components(separatedBy: "//").last ?? "" }
    }

    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .contains { FileManager.default.isExecutableFile(atPath: $0) }

    /// Returns whether this machine has the other programs that a command needs.
    static func isInstalled(_ command: String) -> Bool {
        if command.hasPrefix("curl ") {
            return ["/usr/bin/curl", "/bin/curl"].contains { FileManager.default.isExecutableFile(atPath: $0) }
        }
        // openssl creates the certification request, which no part of Holdfast can create.
        return openssl || !(command.hasPrefix("openssl ") || command.contains("request.csr"))
    }

    /// Starts the servers, and runs `body` with a new folder.
    static func with(_ body: @escaping @Sendable (DocumentStage) async throws -> Void) async throws {
        let files = try DocumentFiles()
        try await ScriptedServer.with(tls: ServerTLS(files.leaf)) { request in
            request.method == "HEAD" ? [.text("HTTP/1.1 200 OK\nContent-Length: 2\n\n")] : [.respond("{}")]
        } _: { web in
            try await with(files, web: "localhost:\(web.port)", body)
        }
    }

    private static func with(
        _ files: DocumentFiles, web: String, _ body: @escaping @Sendable (DocumentStage) async throws -> Void
    ) async throws {
        let folder = files.folder.path
        try await WebSocketPeer.with(identity: files.leaf) { peer in
            let chat = ["--in-memory", "--operator-token-file", folder + "/token"]
            try await Serving.with("chat", chat) { (cleartext: Ready, _) in
                let identity = ["--in-memory", "--cert", folder + "/chain.pem", "--key", folder + "/key.pem"]
                try await Serving.with("chat", identity) { (secure: Ready, _) in
                    try await Serving.with("collector", []) { (collector: Ready, _) in
                        let port = secure.authority.split(separator: ":").last ?? ""
                        let stage = try DocumentStage(
                            files, web: web, tls: "localhost:\(peer.port)", chat: cleartext.authority,
                            secureChat: "localhost:\(port)", collector: collector.authority)
                        if openssl {
                            let command = "openssl req -new -key key.pem -subj /CN=shop.example -out request.csr"
                            _ = try await stage.run(command, isServer: false)
                        }
                        try await body(stage)
                    }
                }
            }
        }
    }

    private init(
        _ files: DocumentFiles, web: String, tls: String, chat: String, secureChat: String, collector: String
    ) throws {
        self.files = files
        hosts = [
            ("https://files.example.com", "https://\(web)"),
            ("wss://chat.example.com", "wss://\(tls)"), ("wss://example.com", "wss://\(tls)"),
            ("https://example.com", "https://\(tls)"), ("127.0.0.1:8476", chat), ("localhost:8476", secureChat),
            ("127.0.0.1:8475", collector), (" chat chat.example.com", " chat \(secureChat)"),
            ("example.com:8443", tls), ("example.com:443", tls), (" pin example.com", " pin \(tls)"),
            (" probe example.com", " probe \(tls)"), (" HOST", " \(tls)"), (" FOLDER", " Certificates"),
            ("sha256/…", "sha256/\(files.pins[0])"),
        ]
        let folder = files.folder.path
        environment = [
            "PATH": folder + "/bin:/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin", "HOME": folder,
            "TMPDIR": folder + "/tmp", "SSL_CERT_FILE": folder + "/machine-roots.pem", "TLS": tls,
            "TOKEN": "an-operators-token-of-a-test",
        ].merging(ChildTool.sanitizerOptions) { own, _ in own }
        try files.write("servers.txt", tls + "\n")
        try files.makeFolder("tmp")
        try files.makeFolder("bin")
        try program("bin/holdfast", "exec '\(Self.tool ?? "/nonexistent")' \"$@\"")
        try program("run", "exec holdfast \"$@\"")
        // These replace a program of the reader.
        try program("bin/some-command", "cat server.pem")
        try program("bin/some-generator", "cat cases.jsonl")
        if let script = Documentation.documents.flatMap(\.json).first(where: { $0.contains("holdfastScript") }) {
            try files.write("faults.json", script)
        }
        if let settings = Documentation.documents.flatMap(\.json).first(where: { $0.contains("\"keep-days\"") }) {
            try files.write("collector.json", settings)
        }
    }

    private func program(_ name: String, _ line: String) throws {
        try files.write(name, "#!/bin/sh\n\(line)\n", mode: 0o755)
    }

    /// Returns the command as it runs here.
    func localized(_ command: DocumentedCommand, _ marker: CommandMarker) -> String {
        hosts.reduce(marker.applied(to: command.text)) { $0.replacing($1.documented, with: $1.served) }
    }

    /// Runs a command in the folder. Returns its exit code (0 for a server that has started) and its last output.
    func run(_ command: String, isServer: Bool) async throws -> (code: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try self.end(of: command, isServer: isServer) })
            }
        }
    }

    private func end(of command: String, isServer: Bool) throws -> (code: Int32, output: String) {
        let log = files.folder.path + "/tmp/log"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", isServer ? "exec \(command) 2>'\(log)'" : "{ \(command)\n} >'\(log)' 2>&1"]
        process.currentDirectoryURL = URL(fileURLWithPath: files.folder.path)
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        // The first line of a server. All other output goes to the log, and the pipe ends with the process.
        let first = try pipe.fileHandleForReading.read(upToCount: 1)
        let isUp = isServer && first?.isEmpty == false
        // SIGTERM does not work: a process that a thread of Swift's pool starts may inherit that signal as blocked.
        if isUp { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        let output = FileManager.default.contents(atPath: log) ?? Data()
        return (isUp ? 0 : process.terminationStatus, String(decoding: output.suffix(2_000), as: UTF8.self))
    }
}
