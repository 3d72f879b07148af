import HoldfastBase
import HoldfastTransport
import HoldfastWebSocket

/// One run of `holdfast ws`: connects and runs a session.
struct WebSocketCommandRun: Sendable {
    let target: WebSocketTarget
    /// The trust and the route, to describe a refusal as `probe` does.
    let prober: Prober
    let configuration: TransportConfiguration
    let options: WebSocketOptions
    let plan: WebSocketPlan
    let showsFrames: Bool
    /// Returns when the user or the system interrupts the command.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }

    /// Runs the session. Throws ``ToolError`` with the exit code unless that is 0. Everything except the error's
    /// sentence was printed before.
    func run(_ screen: EventTerminal<WebSocketEvent>, _ lines: InputLines) async throws {
        let connection: WebSocketConnection
        do {
            connection = try await connect(screen)
        } catch let failure as Failed {
            try screen.show(.failed(failure.failure))
            throw ToolError(
                "no connection to \(target.server): \(failure.failure.reason) [\(failure.failure.code)]",
                status: failure.failure.status)
        }
        try screen.show(.connected(WebSocketFacts(connection)))
        if plan.isPrompt { screen.note("/help lists the commands") }
        var session = WebSocketSession(connection: connection, screen: screen, lines: lines, plan: plan)
        session.interruption = interruption
        let end = try await session.run()
        screen.removePrompt()
        try screen.show(.closed(end))
        guard end.status == .success else { throw ToolError("", status: end.status) }
    }

    private struct Failed: Error {
        var failure: WebSocketFailure
    }

    private func connect(_ screen: EventTerminal<WebSocketEvent>) async throws -> WebSocketConnection {
        let client = client(screen)
        return try await withThrowingTaskGroup(of: WebSocketConnection.self) { group in
            group.addTask {
                do {
                    return try await client.connect(target.url, options: options)
                } catch let error as TransportError {
                    throw Failed(failure: WebSocketFailure(error, at: target.server, prober: prober))
                } catch let error as WebSocketError {
                    throw Failed(failure: WebSocketFailure(error))
                }
            }
            group.addTask {
                await interruption()
                throw Failed(
                    failure: WebSocketFailure(
                        code: "interrupted", reason: "Interrupted before the connection was open.", status: .failure))
            }
            defer { group.cancelAll() }
            guard let connection = try await group.next() else { throw CancellationError() }
            return connection
        }
    }

    /// Returns the library's own client, with a tap for frames.
    private func client(_ screen: EventTerminal<WebSocketEvent>) -> WebSocketClient {
        let showsFrames = showsFrames
        let dialler = TappedDialler(base: NetworkDialler(configuration: configuration)) { frame in
            // Prints on the event loop, so that a frame appears before its message. Printing blocks: if the output
            // accepts nothing, the connection stops (see docs/ws.md). The loop has no other connection. A closed output
            // is ignored here, because the session detects it.
            if showsFrames {
                try? screen.show(.frame(frame))
            } else if frame.direction == .incoming, frame.opcode == .ping {
                try? screen.show(.ping(frame.payload))
            }
        }
        return WebSocketClient(configuration: configuration, dialler: dialler, eventLoops: NetworkDialler.eventLoops)
    }
}

/// Decides when a session ends by itself and how it reads its input.
struct WebSocketPlan: Hashable, Sendable {
    /// Whether the input is a terminal. Then mistakes are printed and do not end the session, and the end of the input
    /// closes the connection at once.
    var isPrompt = false
    /// Whether a line that begins with a slash is a command.
    var takesCommands = false
    /// The number of messages after which the connection is closed.
    var count: Int?
    /// How long to wait without messages after the input has ended, before the connection is closed.
    var quiet: Duration = .seconds(1)
    /// The time limit for a pong.
    var pongTimeout: Duration = .seconds(10)
}

/// The server and the path that `holdfast ws` connects to.
struct WebSocketTarget: Hashable, Sendable {
    /// The URL as given.
    var url: String
    /// The server.
    var server: ProbeTarget
    /// Whether the URL uses TLS.
    var isSecure: Bool

    /// Parses a `ws:` or `wss:` URL. Throws one sentence, which contains only the URL's scheme: the text before an `@`
    /// and after a question mark may be secret.
    init(_ text: String) throws(ToolError) {
        let parts: RequestURL
        do throws(TransportError) {
            parts = try RequestURL(text)
        } catch {
            throw ToolError("the URL cannot be used: \(Printable.text(error.reason))", status: .usage)
        }
        guard parts.scheme == .ws || parts.scheme == .wss else {
            throw ToolError("the URL of a WebSocket must begin with ws: or wss:", status: .usage)
        }
        guard !text.contains("#") else {
            throw ToolError("the URL of a WebSocket must not have a fragment", status: .usage)
        }
        url = text
        server = ProbeTarget(host: parts.host, port: parts.port)
        isSecure = parts.scheme == .wss
    }
}
