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
        abstract: "Runs a server until it is interrupted.",
        subcommands: [ServeChatCommand.self, ServeCollectorCommand.self]
    )

    /// Runs a server until it ends. An interruption stops it and lets requests in progress end.
    static func run(
        on console: Console, stop: @escaping @Sendable () -> Void, _ server: @escaping @Sendable () async throws -> Void
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
        console.note("stopped")
    }
}

/// The address and the port that a server is to listen on.
struct ListeningPlace: Sendable {
    var host: String
    var port: UInt16

    /// Whether this machine alone reaches the address.
    var isLoopback: Bool { (try? CanonicalHost(host))?.isLoopback == true }

    /// Listens for a moment, so that a port that is taken is found out before a server makes its database and its files.
    ///
    /// Throws one sentence. Another program may take the port between this call and the server's own start.
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
                throw ToolError("Another program listens on \(place). --port N takes another port, 0 a free one")
            }
            throw ToolError("no server can listen on \(place): \(ErrorText.sentence(error))")
        }
    }
}

/// Reads the environment.
enum EnvironmentVariable {
    /// The value of a variable, which may be empty; `nil` if it is not set. A variable that was set to nothing by mistake is
    /// for whoever uses it to refuse: with no token, for example, more people read.
    static func value(of name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        return String(cString: value)
    }
}
