import ArgumentParser
import Foundation
import HoldfastWebSocket
import NIOCore
import NIOPosix

/// `holdfast-conformance autobahn-server`.
struct AutobahnServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "autobahn-server", abstract: "An echo server for the fuzzing client of the Autobahn suite.",
        discussion: """
            Prints its URL when it accepts connections, and runs until it is terminated. It does not answer requests
            that are not WebSocket upgrades.
            """)

    @Option(help: "The port on 127.0.0.1; 0 for a free port.") var port = 0
    @OptionGroup var options: AutobahnOptions

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535.") }
    }

    func run() async throws {
        let settings = WebSocketServerOptions(
            limits: AutobahnOptions.limits, keepAlive: nil, fragmentSize: options.fragmentSize,
            deflate: options.compression)
        let upgrader = WebSocketUpgrader(options: settings) { _, loop in loop.makeSucceededFuture(.accept()) }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try upgrader.configure(channel) { $0.close() }.whenSuccess { outcome in
                        guard case .webSocket(let connection, _) = outcome else { return }
                        Task { await connection.echo() }  // reason: the task ends with its connection
                    }
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        // The URL is written without buffering, because a script may wait for it in a file.
        let line = "ws://127.0.0.1:\(listener.localAddress?.port ?? port)\n"
        try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
        try await listener.closeFuture.get()
    }
}
