public import HoldfastWebSocket

/// What a ``LoopbackServer`` does with WebSocket connections.
public enum LoopbackWebSocket: Hashable, Sendable {
    /// The server sends every message back.
    case echo
    /// The server sends these messages, and then closes the connection if there is a code. It reads and drops what the
    /// client sends.
    case send([WebSocketMessage], thenClose: WebSocketCloseCode? = nil)
    /// The server refuses the upgrade with this status. A status outside 300 to 599 becomes 500.
    case refuse(status: Int)

    /// Serves a connection to its end.
    func serve(_ connection: WebSocketConnection) async {
        do {
            if case .send(let messages, let code) = self {
                for message in messages { try await connection.send(message) }
                if let code { return await connection.close(code) }
            }
            for try await message in connection.messages where self == .echo { try await connection.send(message) }
        } catch {
            // The client's own tests decide whether the end of the connection is correct.
        }
        await connection.close()
    }
}
