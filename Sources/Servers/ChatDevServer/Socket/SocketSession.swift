import ChatServerCore
import ChatWire
import HoldfastWebSocket

/// One client's socket: passes frames in both directions until either side ends it.
struct SocketSession: Sendable {
    let driver: ChatServerDriver
    let connection: WebSocketConnection
    let token: String?

    /// Runs until the socket is closed. Cancellation disconnects the socket.
    func run() async {
        let (id, output) = await driver.connect(token: token)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await read(as: id) }
            group.addTask { await write(output) }
            // The first task that ends ends the other.
            await group.next()
            group.cancelAll()
        }
        await driver.disconnect(id)
        await connection.close(.goingAway)
        driver.socketEnded()
    }

    private func read(as id: ConnectionID) async {
        do {
            for try await message in connection.messages {
                switch message {
                case .text(let text):
                    await driver.take(Self.event(id, Array(text.utf8)))
                case .binary:
                    // The protocol uses text frames only.
                    return await connection.close(.unsupportedData, reason: "Only text frames are supported.")
                }
            }
        } catch {
            // The peer violated the protocol or disconnected; the connection has already reported it if possible.
        }
    }

    private static func event(_ id: ConnectionID, _ bytes: [UInt8]) -> ServerEvent {
        do {
            return .received(id, try ClientFrame(parsing: bytes))
        } catch {
            return .unreadable(id, error)
        }
    }

    private func write(_ output: AsyncStream<SocketOutput>) async {
        for await item in output {
            switch item {
            case .frame(let bytes):
                do {
                    try await connection.send(.text(String(decoding: bytes, as: UTF8.self)))
                } catch {
                    return
                }
            case .close(let end):
                let (code, reason) = end.closing
                return await connection.close(code, reason: reason)
            }
        }
        // The stream ended without a close item: the peer read too slowly.
        if !Task.isCancelled { await connection.close(.tryAgainLater, reason: "The client reads too slowly.") }
    }
}
