import ArgumentParser
import BenchSupport
import Foundation
import HoldfastWebSocket
import NIOCore
import NIOPosix
import NIOSSL

/// What a run starts in a process of its own to weigh idle connections of one kind at one end.
///
/// A server prints its port. Every line that comes then is a number of connections to open, of which a server waits for
/// none; once they rest it prints a ``Memory``.
struct IdleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "idle", shouldDisplay: false)

    @Option var contestant: IdleContestant
    @Option var role: String
    @Flag var secure = false
    /// A ``Site`` as JSON.
    @Option var site: String
    /// The port of the server that a client talks to.
    @Option var port = 0

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
        let listener = try await Listener.open(
            secure ? try site.serverContext() : nil, on: MultiThreadedEventLoopGroup(numberOfThreads: 1),
            prepare: prepare)
        say("\(listener.localAddress?.port ?? 0)")
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
        // What the last handshakes have left is gone then, and the last answers have come.
        try await Task.sleep(for: .milliseconds(500))
        say(String(decoding: try JSONEncoder().encode(Memory.now()), as: UTF8.self))
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
