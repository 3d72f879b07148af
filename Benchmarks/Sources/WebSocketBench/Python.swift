import BenchSupport
import Foundation

/// A Python with the package `websockets`, and the scripts for it.
struct Python {
    private let program: String
    private let scripts: String
    private let folder: URL

    /// Returns `nil` if Python or the package is not installed.
    init?(_ name: String, scripts: String, site: Site) throws {
        guard let program = name.contains("/") ? name : ChildProcess.path(of: name),
            (try? ChildProcess.output(of: program, ["-c", "import websockets.asyncio.server"])) != nil
        else { return nil }
        self.program = program
        self.scripts = scripts
        self.folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "WebSocketBench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try pem(site.chain).write(to: file("chain.pem"), atomically: true, encoding: .utf8)
        try pem([site.root]).write(to: file("root.pem"), atomically: true, encoding: .utf8)
        try site.privateKeyPEM.write(to: file("key.pem"), atomically: true, encoding: .utf8)
    }

    /// Starts the server. Its first line contains its ports.
    func server() throws -> InteractiveProcess {
        try InteractiveProcess(
            program, ["\(scripts)/websocket_server.py", file("chain.pem").path, file("key.pem").path])
    }

    /// Starts the client.
    func client() throws -> InteractiveProcess {
        try InteractiveProcess(program, ["\(scripts)/websocket_client.py", file("root.pem").path])
    }

    func tidyUp() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func pem(_ chain: [[UInt8]]) -> String {
        chain.map { certificate in
            let base64 = Data(certificate)
                .base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
        }.joined()
    }
}
