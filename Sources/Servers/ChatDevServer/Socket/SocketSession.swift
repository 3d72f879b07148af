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
        await driver.take(.disconnected(id))
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

/// An outgoing item of a socket.
enum SocketOutput: Hashable, Sendable {
    /// A frame's bytes.
    case frame([UInt8])
    /// The last item: close the socket, with the reason.
    case close(SocketEnd)
}

/// Why the server closes a socket.
enum SocketEnd: Hashable, Sendable {
    /// The core closes it.
    case core(ServerCloseReason)
    /// A script closes it.
    case script(code: UInt16, reason: String)
    /// The server stops.
    case shuttingDown
    /// The database failed.
    case storeFailed
}

extension SocketEnd {
    /// The code and reason of the close frame.
    var closing: (code: WebSocketCloseCode, reason: String) {
        switch self {
        case .shuttingDown: (.goingAway, "The server is shutting down.")
        case .storeFailed: (.internalError, "The server's database failed.")
        case .core(.clientOffline): (.normal, "Goodbye.")
        case .core(.replaced): (.policyViolation, "The device opened another socket.")
        case .core(.registrationTimedOut): (.policyViolation, "The registration timed out.")
        case .core(.full): (.tryAgainLater, "The server is full.")
        case .script(let code, let reason): (WebSocketCloseCode(rawValue: code) ?? .normal, reason)
        // A fault must look like a broken network.
        case .core(.fault): (.abnormal, "")
        }
    }
}
