public import HoldfastWebSocket
public import NIOCore

/// The server's end of a WebSocket, for tests and benchmarks: it grants every upgrade, and sends every message back.
///
/// The server's role of `HoldfastWebSocket` is for servers of its own package. This is what other packages can have of it.
public enum WebSocketEcho {
    /// Sets up a fresh channel, whose pipeline holds nothing above TLS. Call it on the channel's event loop.
    ///
    /// A connection whose first request asks for no WebSocket is closed. One that breaks the protocol, or passes a limit
    /// of ``HoldfastWebSocket/WebSocketLimits``, is closed with the code for it.
    ///
    /// - Parameters:
    ///   - deflate: The compression to grant to clients that offer it; `nil`: none.
    ///   - executor: Where the task that sends back runs; `nil`: on the process's threads.
    /// - Throws: What the pipeline says of a channel that is closed already.
    public static func configure(
        _ channel: any Channel, deflate: WebSocketDeflate? = nil, executor: (any TaskExecutor)? = nil
    ) throws {
        let upgrader = WebSocketUpgrader(options: WebSocketServerOptions(deflate: deflate)) { _, loop in
            loop.makeSucceededFuture(.accept())
        }
        try upgrader.configure(channel) { $0.close() }.whenSuccess { outcome in
            guard case .webSocket(let connection, _) = outcome else { return }
            Task(executorPreference: executor) { await echo(connection) }  // reason: it lives as long as its connection
        }
    }

    private static func echo(_ connection: WebSocketConnection) async {
        do {
            for try await message in connection.messages { try await connection.send(message) }
        } catch {
            // How the connection ended is for the other end to judge.
        }
        await connection.close()
    }
}
