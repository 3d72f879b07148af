import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// One run of `holdfast ws`: connects, and lets a session run.
struct WebSocketCommandRun: Sendable {
    let target: WebSocketTarget
    /// What judges, and the way: a refusal is told as by a probe.
    let prober: Prober
    let configuration: TransportConfiguration
    let options: WebSocketOptions
    let plan: WebSocketPlan
    let showsFrames: Bool
    /// Returns when the user or the system interrupts the command.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }

    /// Throws ``ToolError`` with the exit code unless that is 0. What is to be said beside its sentence has been.
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
                        code: "interrupted", reason: "Interrupted before there was a connection.", status: .failure))
            }
            defer { group.cancelAll() }
            guard let connection = try await group.next() else { throw CancellationError() }
            return connection
        }
    }

    /// The library's own client, with a look at the frames.
    private func client(_ screen: EventTerminal<WebSocketEvent>) -> WebSocketClient {
        let showsFrames = showsFrames
        let dialler = TappedDialler(base: NetworkDialler(configuration: configuration)) { frame in
            // Written from the event loop, so that it stands before the message that it belongs to. Writing blocks: where the
            // output takes nothing the connection stands still until it does, which docs/ws.md says. The loop has no other
            // connection. An output that is closed is no reason to end here; the session finds it out.
            if showsFrames {
                try? screen.show(.frame(frame))
            } else if frame.direction == .incoming, frame.opcode == .ping {
                try? screen.show(.ping(frame.payload))
            }
        }
        return WebSocketClient(
            configuration: configuration, dialler: dialler, eventLoops: NetworkDialler.eventLoops)
    }
}

/// When a session ends by itself, and how it reads its input.
struct WebSocketPlan: Hashable, Sendable {
    /// Whether lines come from somebody who types: mistakes are told and nothing else, and the end of the input closes at
    /// once.
    var isPrompt = false
    /// Whether a line that begins with a slash is a command.
    var takesCommands = false
    /// The number of messages after which the connection is closed.
    var count: Int?
    /// How long nothing may come, once the input has ended, before the connection is closed.
    var quiet: Duration = .seconds(1)
    /// How long a pong may take.
    var pongTimeout: Duration = .seconds(10)
}

/// The server and the path that `holdfast ws` connects to.
struct WebSocketTarget: Hashable, Sendable {
    /// The URL as it was given.
    var url: String
    /// The server.
    var server: ProbeTarget
    /// Whether there is TLS.
    var isSecure: Bool

    /// Reads a `ws:` or `wss:` URL. Throws one sentence, which holds nothing of the URL but its scheme: what stands in front of an
    /// `@`, and behind a question mark, may be a secret.
    init(_ text: String) throws(ToolError) {
        let parts: RequestURL
        do throws(TransportError) {
            parts = try RequestURL(text)
        } catch {
            throw ToolError("the URL cannot be used: \(Printable.text(error.reason))", status: .usage)
        }
        guard parts.scheme == .ws || parts.scheme == .wss else {
            throw ToolError("the URL of a WebSocket begins with ws: or wss:", status: .usage)
        }
        guard !text.contains("#") else {
            throw ToolError("the URL of a WebSocket has no fragment", status: .usage)
        }
        url = text
        server = ProbeTarget(host: parts.host, port: parts.port)
        isSecure = parts.scheme == .wss
    }
}
