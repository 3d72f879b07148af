public import HoldfastWebSocket
public import NIOCore

/// An echo server for WebSocket tests and benchmarks: it accepts every upgrade and sends every message back.
///
/// The server role of `HoldfastWebSocket` is not public. This type makes it available to other packages' tests.
public enum WebSocketEcho {
    /// Configures a new channel, whose pipeline contains nothing above TLS. Call it on the channel's event loop.
    ///
    /// A connection whose first request is not a WebSocket upgrade is closed. A connection that violates the protocol
    /// or a limit of ``HoldfastWebSocket/WebSocketLimits`` is closed with the corresponding code.
    ///
    /// - Parameters:
    ///   - deflate: The compression for clients that offer it; `nil` for none.
    ///   - executor: The executor of the task that sends messages back; `nil` for the global executor.
    /// - Throws: The pipeline's error for a channel that is already closed.
    public static func configure(
        _ channel: any Channel, deflate: WebSocketDeflate? = nil, executor: (any TaskExecutor)? = nil
    ) throws {
        let upgrader = WebSocketUpgrader(options: WebSocketServerOptions(deflate: deflate)) { _, loop in
            loop.makeSucceededFuture(.accept())
        }
        try upgrader.configure(channel) { $0.close() }.whenSuccess { outcome in
            guard case .webSocket(let connection, _) = outcome else { return }
            Task(executorPreference: executor) { await echo(connection) }  // reason: the task ends with its connection
        }
    }

    private static func echo(_ connection: WebSocketConnection) async {
        do {
            for try await message in connection.messages { try await connection.send(message) }
        } catch {
            // The peer decides whether the end of the connection is correct.
        }
        await connection.close()
    }
}
