import BenchSupport
import Foundation
import HoldfastTrust

/// The installed peers, and a temporary folder with their programs and certificates.
struct Peers: Sendable {
    /// Where the peers come from.
    struct Sources {
        /// The folder with the source files.
        var folder: String
        /// The Python program.
        var python: String
        /// The options of the compilers.
        var compilerOptions: [String]
    }

    private var peers: [Contestant: Peer] = [:]
    private let folder: URL

    /// Prepares the peers among `contestants` that are installed, and compiles their programs if necessary. Calls
    /// `skip` with a sentence for each of the others.
    init(_ contestants: [Contestant], _ sources: Sources, site: Site, skip: (String) -> Void) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("WebSocketBench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            try Self.pem(site.chain).write(to: file("chain.pem"), atomically: true, encoding: .utf8)
            try Self.pem([site.root]).write(to: file("root.pem"), atomically: true, encoding: .utf8)
            try site.privateKeyPEM.write(to: file("key.pem"), atomically: true, encoding: .utf8)
            for contestant in contestants {
                switch contestant {
                case .nio, .nioAsync, .holdfast, .holdfastOnLoop: continue
                case .python: peers[.python] = python(sources, skip)
                case .beast: peers[.beast] = try compiled(.beast, sources, skip)
                case .libwebsockets: peers[.libwebsockets] = try compiled(.libwebsockets, sources, skip)
                }
            }
        } catch {
            tidyUp()
            throw error
        }
    }

    /// The peer of this contestant; `nil` if it is not installed.
    subscript(contestant: Contestant) -> Peer? { peers[contestant] }

    func tidyUp() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func python(_ sources: Sources, _ skip: (String) -> Void) -> Peer? {
        let name = sources.python
        guard let program = name.contains("/") ? name : ChildProcess.path(of: name),
            (try? ChildProcess.output(of: program, ["-c", "import websockets.asyncio.server"], isQuiet: true)) != nil
        else {
            skip("python is skipped: \(name) does not have the package websockets (pip install websockets).")
            return nil
        }
        return Peer(
            clientCommand: [program, "\(sources.folder)/websocket_client.py"] + clientFiles,
            serverCommand: [program, "\(sources.folder)/websocket_server.py"] + serverFiles)
    }

    private func compiled(_ source: PeerSource, _ sources: Sources, _ skip: (String) -> Void) throws -> Peer? {
        if let package = source.missingPackage() {
            skip("\(source.name) is skipped: the package \(package) is not installed.")
            return nil
        }
        let program = file(source.name).path
        try source.compile(in: sources.folder, options: sources.compilerOptions, to: program)
        return Peer(
            clientCommand: [program, "client"] + clientFiles, serverCommand: [program, "server"] + serverFiles)
    }

    private var clientFiles: [String] { [file("root.pem").path] }

    private var serverFiles: [String] { [file("chain.pem").path, file("key.pem").path] }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private static func pem(_ chain: [[UInt8]]) throws -> String {
        try chain.map { try CertificateView(der: $0).pem }.joined()
    }
}
