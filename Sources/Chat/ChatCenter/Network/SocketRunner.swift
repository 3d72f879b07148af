import ChatCenterCore
import ChatWire
import HoldfastTransport
import HoldfastWebSocket

/// The life of one socket: dial, then read and write until it ends.
struct SocketRunner: Sendable {
    let client: WebSocketClient
    let addresses: ServerAddresses
    let reporter: NetworkReporter

    /// - Parameters:
    ///   - isLive: Whether the core has not let go of the socket.
    ///   - opened: Called before the core hears that the socket is open.
    func run(
        _ generation: Generation, _ request: SocketRequest, orders: AsyncStream<SocketOrder>,
        isLive: @escaping @Sendable () -> Bool, opened: @Sendable () -> Void
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
        await withTaskGroup(of: Ending.self) { group in
            group.addTask { await write(generation, orders, to: connection) }
            group.addTask { await read(generation, from: connection, isLive) }
            var ending = await group.next()
            if case .unwritable(let error) = ending {
                // The reader sees the same end, with what the server said before it and why.
                group.addTask {
                    try? await Task.sleep(for: Self.patience)  // reason: bounds a wait for the reader
                    return .broken(error)
                }
                ending = await group.next()
            }
            group.cancelAll()
            // The core hears of every end but one that it asked for.
            guard !Task.isCancelled else { return }
            switch ending {
            case .asked, nil: break
            case .closed(let cause): reporter.sink(.socketClosed(generation, cause))
            case .broken(let error), .unwritable(let error):
                let failure = reporter.failure(error, "socket \(generation.number)")
                reporter.sink(.socketClosed(generation, .transport(failure)))
            }
        }
    }

    /// How long the reader has after the writer found the connection broken.
    private static let patience = Duration.seconds(5)

    /// How one half of a socket's life ended.
    private enum Ending: Sendable {
        /// The core asked for it, or there is nothing more to write.
        case asked
        /// The server closed the socket.
        case closed(DisconnectCause)
        /// The connection is of no use any more.
        case broken(any Error)
        /// The same, seen by the writer, who cannot know why.
        case unwritable(any Error)
    }

    /// The most bytes of frames that wait to be handled, each frame with an allowance of its own.
    private static let mostUnhandled = 1024 * 1024
    private static let costOfFrame = 16 * 1024

    private func read(
        _ generation: Generation, from connection: WebSocketConnection, _ isLive: @Sendable () -> Bool
    ) async -> Ending {
        var unhandled = 0
        do {
            for try await message in connection.messages {
                let bytes: [UInt8] =
                    switch message {
                    case .text(let text): Array(text.utf8)
                    case .binary(let bytes): bytes
                    }
                unhandled += bytes.count + Self.costOfFrame
                if unhandled > Self.mostUnhandled {
                    await reporter.settle()
                    unhandled = 0
                }
                // What comes for a socket that the core has let go is nobody's, and not for the log either.
                guard isLive() else { return .asked }
                do throws(WireError) {
                    let frame = try ServerFrame(parsing: bytes)
                    reporter.log.write(.webSocket, NetworkLog.received(frame, bytes, generation, reporter.log))
                    reporter.sink(.received(generation, frame))
                } catch {
                    reporter.log.write([.error], "socket \(generation.number): unreadable frame, \(error)")
                    reporter.sink(.unreadable(generation, error))
                }
            }
            guard let closure = connection.closure, closure.initiator == .remote else {
                // This end closed it: because the core asked for it, or because of what came.
                guard isLive() else { return .asked }
                return .broken(WebSocketError(.closed, "This end closed the socket.", closure: connection.closure))
            }
            reporter.log.write(.webSocket, "socket \(generation.number): closed by the server with \(closure.code)")
            return .closed(
                .closedByServer(code: closure.code.rawValue, reason: closure.reason, retryAfterMilliseconds: nil))
        } catch {
            return .broken(error)
        }
    }

    private func write(
        _ generation: Generation, _ orders: AsyncStream<SocketOrder>, to connection: WebSocketConnection
    ) async -> Ending {
        await withDiscardingTaskGroup { pings -> Ending in
            for await order in orders {
                switch order {
                case .send(let id, let frame):
                    let bytes = frame.bytes
                    do {
                        try await connection.send(.text(String(decoding: bytes, as: UTF8.self)))
                    } catch {
                        return .unwritable(error)
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
                    return .asked
                }
            }
            return .asked
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

/// What one socket is told to do, in order.
enum SocketOrder: Sendable {
    case send(FrameID, ClientFrame)
    case ping
    case close(CloseReason)
}
