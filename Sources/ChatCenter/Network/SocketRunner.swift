import ChatCenterCore
import ChatWire
import HoldfastTransport
import HoldfastWebSocket

/// The life of one socket: dial, then read and write until it ends.
struct SocketRunner: Sendable {
    let client: WebSocketClient
    let addresses: ServerAddresses
    let reporter: NetworkReporter

    /// - Parameter opened: Called before the core hears that the socket is open.
    func run(
        _ generation: Generation, _ request: SocketRequest, orders: AsyncStream<SocketOrder>,
        opened: @Sendable () -> Void
    ) async {
        let url = addresses.endpoints.webSocket.text
        reporter.log.write(.webSocket, "socket \(generation.number): opening \(url)")
        let connection: WebSocketConnection
        do {
            var options = WebSocketOptions()
            options.headers = addresses.upgradeHeaders(request.credentials)
            let timeout = Duration.milliseconds(request.timeoutMilliseconds)
            options.connectTimeout = timeout
            options.upgradeTimeout = timeout
            // The chat's core owns every deadline that a user can see, keep-alive among them.
            options.keepAlive = nil
            options.limits.maximumFrameSize = JSONLimits.frame.maximumBytes
            options.limits.maximumMessageSize = JSONLimits.frame.maximumBytes
            connection = try await client.connect(url, options: options)
        } catch {
            if !Task.isCancelled {
                let failure = reporter.failure(error, "socket \(generation.number)")
                reporter.sink(.socketClosed(generation, .transport(failure)))
            }
            return
        }
        reporter.log.write(
            .webSocket,
            "socket \(generation.number): open, \(connection.facts.tlsVersion ?? "no TLS"), \(connection.facts.remoteAddress)"
        )
        opened()
        reporter.sink(.socketOpened(generation))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await write(generation, orders, to: connection) }
            group.addTask { await read(generation, from: connection) }
            // Whichever ends first takes the other one with it; the reader is the one that tells why.
            await group.next()
            group.cancelAll()
        }
    }

    private func read(_ generation: Generation, from connection: WebSocketConnection) async {
        do {
            for try await message in connection.messages {
                let bytes: [UInt8] =
                    switch message {
                    case .text(let text): Array(text.utf8)
                    case .binary(let bytes): bytes
                    }
                // What comes for a socket that the core has let go is nobody's, and not for the log either.
                if Task.isCancelled { return }
                do throws(WireError) {
                    let frame = try ServerFrame(parsing: bytes)
                    reporter.log.write(.webSocket, NetworkLog.received(frame, bytes, generation, reporter.log))
                    reporter.sink(.received(generation, frame))
                } catch {
                    reporter.log.write([.error], "socket \(generation.number): unreadable frame, \(error)")
                    reporter.sink(.unreadable(generation, error))
                }
            }
            guard let closure = connection.closure, closure.initiator == .remote else { return }
            reporter.log.write(.webSocket, "socket \(generation.number): closed by the server with \(closure.code)")
            reporter.sink(
                .socketClosed(
                    generation,
                    .closedByServer(
                        code: closure.code.rawValue, reason: closure.reason, retryAfterMilliseconds: nil)))
        } catch {
            guard !Task.isCancelled else { return }
            let failure = reporter.failure(error, "socket \(generation.number)")
            reporter.sink(.socketClosed(generation, .transport(failure)))
        }
    }

    private func write(
        _ generation: Generation, _ orders: AsyncStream<SocketOrder>, to connection: WebSocketConnection
    ) async {
        await withDiscardingTaskGroup { pings in
            for await order in orders {
                switch order {
                case .send(let id, let frame):
                    let bytes = frame.bytes
                    do {
                        try await connection.send(.text(String(decoding: bytes, as: UTF8.self)))
                    } catch {
                        // The reader sees the same end, and says why.
                        return
                    }
                    reporter.log.write(.webSocket, NetworkLog.sent(frame, bytes, generation, reporter.log))
                    reporter.sink(.transmitted(generation, id))
                case .ping:
                    pings.addTask {
                        guard (try? await connection.ping()) != nil else { return }
                        reporter.sink(.ponged(generation))
                    }
                case .close(let reason):
                    reporter.log.write(.webSocket, "socket \(generation.number): closing (\(reason.rawValue))")
                    await connection.close(reason.closeCode)
                    return
                }
            }
        }
    }
}

extension CloseReason {
    /// The code that the server sees. A link that is dead gets no farewell: nobody would answer it.
    fileprivate var closeCode: WebSocketCloseCode {
        switch self {
        case .linkDead, .handshakeTimeout: .abnormal
        case .background, .networkChanged, .storeFailed: .goingAway
        case .chatClosed, .registered, .loggedOut, .userChanged, .unauthorized, .refused: .normal
        }
    }
}
