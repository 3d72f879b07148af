import HoldfastBase
import ArgumentParser
import HoldfastSystem
import HoldfastTrust
import NIOCore
import NIOPosix

/// `holdfast serve`: servers that run until they are interrupted.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a server until it is interrupted.",
        examples: [
            "holdfast serve chat --tls --root root.pem",
            "holdfast serve collector --database reports.sqlite",
        ],
        subcommands: [ServeChatCommand.self, ServeCollectorCommand.self]
    )

    /// Runs a server until it ends. An interruption stops it; requests in progress complete.
    ///
    /// - Parameter log: The server's log; `nil` if it is the console.
    static func run(
        on console: Console, _ log: ServerLog? = nil, stop: @escaping @Sendable () -> Void,
        _ server: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await server()
                return true
            }
            group.addTask {
                await Interruption.wait()
                stop()
                return false
            }
            while let isOver = try await group.next(), !isOver {}
            group.cancelAll()
        }
        log?.write(.stopped)
        if log?.format != .json { console.note("stopped") }
    }
}

/// The address and port for a server to listen on.
struct ListeningPlace: Sendable {
    var host: String
    var port: UInt16

    /// Whether only this machine can reach the address.
    var isLoopback: Bool { (try? CanonicalHost(host))?.isLoopback == true }

    /// Binds the port briefly to detect that it is in use, before a server creates its database and its files.
    ///
    /// Throws one sentence. Another program may bind the port between this call and the server's own start.
    func check() async throws(ToolError) {
        guard port != 0 else { return }
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: Int(port)).get()
            try await channel.close()
        } catch {
            let place = "\(Printable.text(host)):\(port)"
            if let error = error as? IOError, error.errnoCode == EADDRINUSE {
                throw ToolError(
                    "Another program listens on \(place). Choose another port with --port N, "
                        + "or a free one with --port 0")
            }
            throw ToolError("cannot listen on \(place): \(ErrorText.sentence(error))")
        }
    }
}

/// Reads the environment.
enum EnvironmentVariable {
    /// Returns a variable's value, which may be empty; `nil` if it is not set. The caller must handle an empty value:
    /// for example, an empty token must not count as no token, because that would let more clients read.
    static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
