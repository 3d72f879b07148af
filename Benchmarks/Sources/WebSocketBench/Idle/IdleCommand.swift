import ArgumentParser
import BenchSupport
import Foundation
import HoldfastWebSocket
import NIOCore
import NIOPosix
import NIOSSL

/// Measures idle connections of one contestant at one end. A run starts this command in a child process, and so does
/// ``ScaleCommand`` for its server.
///
/// A server prints its port. Each line of input is a number of connections to open; a server ignores it and only
/// accepts connections. When all connections are idle, the command prints a ``Memory``.
struct IdleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "idle", shouldDisplay: false)

    @Option var contestant: IdleContestant
    @Option var role: String
    @Flag var secure = false
    /// The ``Site`` as JSON.
    @Option var site: String
    /// The port of the server; 0 for a free port.
    @Option var port = 0
    /// The number of loopback addresses on which a server listens.
    @Option var addresses = 1

    func run() async throws {
        OpenFiles.raiseLimit()
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        if role == Scenario.Role.server.rawValue {
            try await serve(site)
        } else {
            try await connect(site)
        }
    }

    private func serve(_ site: Site) async throws {
        var prepare: @Sendable (any Channel) throws -> Void = { _ in }
        if let contestant = contestant.contestant, let own = Listener.preparation(contestant, deflates: false) {
            prepare = own
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let tls = secure ? try site.serverContext() : nil
        var port = port
        for number in 1...max(1, addresses) {
            let listener = try await Listener.open(
                tls, on: group, address: Listener.address(number), port: port, prepare: prepare)
            port = listener.localAddress?.port ?? 0
        }
        say("\(port)")
        while readLine() != nil { try await sayMemory() }
    }

    private func connect(_ site: Site) async throws {
        let opener = try IdleOpener(contestant, site, port: port, isSecure: secure)
        while let line = readLine() {
            try await opener.open(Int(line) ?? 0)
            try await sayMemory()
        }
    }

    private func sayMemory() async throws {
        // The delay lets the last responses arrive and releases memory of the last handshakes.
        try await Task.sleep(for: .milliseconds(500))
        say(String(decoding: try JSONEncoder().encode(Memory.now()), as: UTF8.self))
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
