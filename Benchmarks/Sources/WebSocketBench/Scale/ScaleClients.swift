import HoldfastTransport
import HoldfastWebSocket
import Synchronization

/// Many clients that stay connected: each one reads its messages, and connects again when its connection is lost.
///
/// `WebSocketClient` does not reconnect, so a loop does. At most ``atOnce`` clients connect at a time. A failed client
/// tries again after ``pause``, and no other client takes its place while it waits.
final class ScaleClients: Sendable {
    /// The number of clients that connect at a time.
    static let atOnce = 64
    /// The wait after a failed attempt.
    static let pause = Duration.milliseconds(100)
    /// The number of attempts of one client in a row, after which the measurement fails.
    private static let maximumAttempts = 1000

    private struct State {
        /// The number of clients, and how many of them are connected.
        var clients = 0
        var connected = 0
        /// The number of connections over time, and how many are expected.
        var connections = 0
        var expected = 0
        var failures: [String: Int] = [:]
        var losses: [String: Int] = [:]
        var surrender: (any Error)?
        var waiter: CheckedContinuation<Void, any Error>?

        var isComplete: Bool { connected == clients && connections >= expected }
    }

    private let state = Mutex(State())
    private let gate = Gate(places: atOnce)
    private let clients: [WebSocketClient]
    private let port: Int
    private let isSecure: Bool
    private let text = MessageText.ascii.text(1024)

    /// Makes one pinned client for each loopback address of the server.
    init(_ site: Site, port: Int, isSecure: Bool, addresses: Int) throws {
        self.clients = try (1...max(1, addresses)).map {
            try HoldfastClientConnection.client(site, address: Listener.address($0))
        }
        self.port = port
        self.isSecure = isSecure
    }

    /// Starts more clients and waits until all are connected.
    func open(_ count: Int) async throws {
        state.withLock { state in
            state.clients += count
            state.expected += count
        }
        for index in 0..<count {
            let client = clients[index % clients.count]
            Task { await stayConnected(client) }  // reason: the client runs until the process ends
        }
        try await allConnected()
    }

    /// Makes ``allConnected()`` wait until all clients have connected once more.
    func expectCut() {
        state.withLock { $0.expected = $0.connections + $0.clients }
    }

    /// Waits until all clients are connected. Throws the error of a client that gave up.
    func allConnected() async throws {
        try await withCheckedThrowingContinuation { waiter in
            state.withLock { $0.waiter = waiter }
            resumeWaiter()
        }
    }

    /// Returns the failed attempts and the lost connections since the last reset, by error.
    func errors() -> (failures: [String: Int], losses: [String: Int]) {
        state.withLock { ($0.failures, $0.losses) }
    }

    func resetErrors() {
        state.withLock { state in
            state.failures = [:]
            state.losses = [:]
        }
    }

    private func stayConnected(_ client: WebSocketClient) async {
        do {
            while true {
                let connection = try await connect(client)
                state.withLock { state in
                    state.connected += 1
                    state.connections += 1
                }
                resumeWaiter()
                let error = await connection.listen()
                state.withLock { state in
                    state.connected -= 1
                    state.losses[Self.name(error), default: 0] += 1
                }
            }
        } catch {
            state.withLock { $0.surrender = error }
            resumeWaiter()
        }
    }

    private func connect(_ client: WebSocketClient) async throws -> HoldfastClientConnection {
        await gate.enter()
        defer { gate.leave() }
        var attempts = 0
        while true {
            do {
                let connection = try await HoldfastClientConnection.open(
                    client, port: port, isSecure: isSecure, deflates: false, onLoop: false)
                do {
                    _ = try await connection.run(text, window: 1, for: .zero)
                } catch {
                    try? await connection.close()
                    throw error
                }
                return connection
            } catch {
                state.withLock { $0.failures[Self.name(error), default: 0] += 1 }
                attempts += 1
                guard attempts < Self.maximumAttempts else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func resumeWaiter() {
        let (waiter, error) = state.withLock { state -> (CheckedContinuation<Void, any Error>?, (any Error)?) in
            guard state.isComplete || state.surrender != nil else { return (nil, nil) }
            defer { state.waiter = nil }
            return (state.waiter, state.surrender)
        }
        if let error { waiter?.resume(throwing: error) } else { waiter?.resume() }
    }

    private static func name(_ error: (any Error)?) -> String {
        switch error {
        case let error as WebSocketError: error.code.rawValue
        case let error as TransportError: "\(error.code) while \(error.phase)"
        case let error?: "\(error)"
        case nil: "closed"
        }
    }
}

/// Limits the number of tasks that do something at a time.
private final class Gate: Sendable {
    private struct State {
        var places: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(places: places))
    }

    /// Waits for a place.
    func enter() async {
        await withCheckedContinuation { waiter in
            let hasPlace = state.withLock { state in
                guard state.places == 0 else {
                    state.places -= 1
                    return true
                }
                state.waiting.append(waiter)
                return false
            }
            if hasPlace { waiter.resume() }
        }
    }

    /// Gives the place to the task that began to wait last, or keeps it free.
    func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popLast()
            if next == nil { state.places += 1 }
            return next
        }
        next?.resume()
    }
}
