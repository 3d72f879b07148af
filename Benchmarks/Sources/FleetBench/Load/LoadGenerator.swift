import BenchSupport
import NIOCore
import NIOPosix
import Synchronization

/// Sends reports over keep-alive connections, each the next one after its answer. Uses one thread.
///
/// A report that was not answered, or that was refused, is sent again with the same key and the same bytes.
final class LoadGenerator: Sendable {
    /// A report that a connection must send.
    struct Order: Sendable {
        let number: UInt64
        let incident: Int
        /// The time at which the report is sent.
        let due: NIODeadline
    }

    /// How reports are distributed over the incidents.
    enum Distribution: Sendable {
        /// Half of the reports belong to the first incident, as with a key that was rotated by mistake.
        case skewed
        /// One after the other.
        case even
    }

    private struct State {
        var next: UInt64 = 0
        var isStopped = false
        var open: Int
    }

    /// The number of connections of one address, below the collector's limit of 64.
    private static let connectionsPerAddress = 60
    /// The maximum number of connections: the collector accepts 512.
    static let connectionLimit = 500
    /// The wait before a connection is opened again, or a refused report is sent again.
    static let pause = TimeAmount.milliseconds(25)

    let templates: ReportTemplates
    let tally: LoadTally
    private let port: Mutex<Int>
    private let limit: UInt64
    private let distribution: Distribution
    /// The time between two reports; `nil` for as many as possible.
    private let interval: Double?
    private let begins = NIODeadline.now()
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let connections: Int
    private let state: Mutex<State>

    /// Creates a generator.
    ///
    /// - Parameters:
    ///   - reports: The number of reports after which it ends.
    ///   - rate: The number of reports per second; `nil` for as many as possible.
    init(
        _ templates: ReportTemplates, port: Int, connections: Int, reports: UInt64 = .max, rate: Double? = nil,
        distribution: Distribution = .skewed, keepsAnswers: Bool = false
    ) {
        self.templates = templates
        self.port = Mutex(port)
        self.connections = connections
        self.distribution = distribution
        limit = reports
        interval = rate.map { 1e9 / $0 }
        tally = LoadTally(keepsAnswers: keepsAnswers)
        state = Mutex(State(open: connections))
    }

    /// Opens the connections.
    func start() {
        for connection in 0..<connections { connect(connection, order: nil) }
    }

    /// Sends the reports to another port from now on.
    func use(port: Int) { self.port.withLock { $0 = port } }

    /// Lets every connection end after the answer to its report, and waits for that. Blocks the calling thread.
    ///
    /// - Throws: ``BenchFailure`` for a wrong answer, or if an answer does not arrive within two minutes.
    func stop() throws {
        state.withLock { $0.isStopped = true }
        try wait()
    }

    /// Waits until all connections have ended. Blocks the calling thread.
    func wait() throws {
        try Polling.wait("for the answers to the last reports", seconds: 120) {
            try tally.check()
            return state.withLock(\.open) == 0
        }
        try group.syncShutdownGracefully()
    }

    // MARK: Connections

    /// Returns what a connection sends next; `nil` if it must end.
    func nextOrder() -> Order? {
        let number: UInt64? = state.withLock { state in
            guard !state.isStopped, state.next < limit else { return nil }
            state.next += 1
            return state.next - 1
        }
        guard let number else { return nil }
        let due = interval.map { begins + .nanoseconds(Int64(Double(number) * $0)) }
        return Order(number: number, incident: incident(number), due: due ?? .now())
    }

    func ended() { state.withLock { $0.open -= 1 } }

    /// Opens a connection. `order` is the report that an earlier connection has not finished.
    func connect(_ connection: Int, order: Order?) {
        let port = port.withLock { $0 }
        // Each address may have only a limited number of connections. All addresses of 127.0.0.0/8 are this machine.
        let source = "127.0.0.\(2 + connection / Self.connectionsPerAddress)"
        let loop = group.next()
        loop.execute {
            do {
                ClientBootstrap(group: loop)
                    .bind(to: try SocketAddress(ipAddress: source, port: 0))
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let handler = LoadHandler(self, connection: connection, order: order)
                            try channel.pipeline.syncOperations.addHandler(handler)
                        }
                    }
                    .connect(host: "127.0.0.1", port: port)
                    .whenFailure { _ in
                        // The collector does not run at the moment.
                        loop.scheduleTask(in: Self.pause) { self.connect(connection, order: order) }
                    }
            } catch {
                self.tally.failed("\(error)")
                self.ended()
            }
        }
    }

    private func incident(_ number: UInt64) -> Int {
        let count = UInt64(templates.count)
        switch distribution {
        case .even: return Int(number % count)
        case .skewed: return number % 2 == 0 || count == 1 ? 0 : 1 + Int(number / 2 % (count - 1))
        }
    }
}
