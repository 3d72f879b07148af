import ChatCenterCore
import ChatWire
import HoldfastTransport
import HoldfastWebSocket

/// Runs one socket: connects, then reads and writes until the socket ends.
struct SocketRunner: Sendable {
    let client: WebSocketClient
    let addresses: ServerAddresses
    let reporter: NetworkReporter

    /// - Parameters:
    ///   - isLive: Returns whether the core still uses the socket.
    ///   - opened: Called before the core receives the event that the socket is open.
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
            // The core owns every deadline that a user can notice, including keep-alive.
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
            "socket \(generation.number): open, \(connection.facts.tlsVersion ?? "no TLS"), "
                + "\(connection.facts.remoteAddress)")
        opened()
        reporter.sink(.socketOpened(generation))
        await withTaskGroup(of: Ending.self) { group in
            group.addTask { await write(generation, orders, to: connection) }
            group.addTask { await read(generation, from: connection, isLive) }
            var ending = await group.next()
            if case .unwritable(let error) = ending {
                // The reader sees the same end, and also the server's last frames and the reason.
                group.addTask {
                    try? await Task.sleep(for: Self.patience)  // reason: bounds a wait for the reader
                    return .broken(error)
                }
                ending = await group.next()
            }
            group.cancelAll()
            // The core receives every end of a socket except one that it requested.
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

    /// The time in which the reader can finish after the writer found that the connection is broken.
    private static let patience = Duration.seconds(5)

    /// The end of the reading or the writing half of a socket.
    private enum Ending: Sendable {
        /// The core requested it, or there is nothing more to write.
        case asked
        /// The server closed the socket.
        case closed(DisconnectCause)
        /// The connection can no longer be used.
        case broken(any Error)
        /// The connection can no longer be used, as seen by the writer, which does not know the reason.
        case unwritable(any Error)
    }

    /// The maximum size of unhandled frames in bytes, including an allowance for each frame. At the limit, reading
    /// waits until they are handled.
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
                // Data for a socket that the core no longer uses is dropped, and not logged.
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
                // This end closed the socket, either because the core requested it or because of the received data.
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
    /// The close code for the server. A dead connection gets none, because the server could not respond.
    fileprivate var closeCode: WebSocketCloseCode {
        switch self {
        case .linkDead, .handshakeTimeout: .abnormal
        case .background, .networkChanged, .storeFailed: .goingAway
        case .chatClosed, .registered, .loggedOut, .userChanged, .unauthorized, .refused: .normal
        }
    }
}

/// A command for a socket. Commands run in order.
enum SocketOrder: Sendable {
    case send(FrameID, ClientFrame)
    case ping
    case close(CloseReason)
}
