import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization

/// Sends thousands of requests of every kind to servers that behave, misbehave or fall silent, and cancels many of
/// them.
///
/// Each request must end exactly once, with its own bytes or a typed error. No connection or request may be left over.
public final class Soak: Sendable {
    static let host = "soak.example.com"

    let plan: SoakPlan
    let client: HTTPClient
    let script: SoakServer
    let policies: SoakPolicies?
    private let servers: [ScriptedServer]
    private let report: Mutex<SoakReport>
    private let next = Mutex(0)

    private init(
        _ plan: SoakPlan, _ client: HTTPClient, _ script: SoakServer, _ policies: SoakPolicies?,
        _ servers: [ScriptedServer]
    ) {
        self.plan = plan
        self.client = client
        self.script = script
        self.policies = policies
        self.servers = servers
        self.report = Mutex(SoakReport(plan: plan))
    }

    /// Runs a soak on the loopback interface. Throws if the servers cannot be started.
    public static func run(_ plan: SoakPlan) async throws -> SoakReport {
        let soak = try await start(plan)
        let clock = ContinuousClock()
        let start = clock.now
        await withTaskGroup { group in
            for _ in 0..<max(1, plan.concurrency) {
                group.addTask { await soak.work() }
            }
        }
        let took = start.duration(to: clock.now).components
        soak.report.withLock { $0.seconds = Double(took.seconds) + Double(took.attoseconds) / 1e18 }
        return try await soak.end()
    }

    private static func start(_ plan: SoakPlan) async throws -> Soak {
        var configuration = TransportConfiguration(trust: .system(anchors: .only([])))
        var policies: SoakPolicies?
        var tls: ServerTLS?
        if plan.wire != .plain {
            let factory = CertificateFactory()
            let root = try factory.authority("Soak Root")
            let intermediate = try factory.intermediate("Soak Intermediate", signedBy: root)
            let leaf = try factory.leaf([host], signedBy: intermediate)
            let changing = try SoakPolicies(
                host: host, leaf: leaf, intermediate: intermediate, other: factory.leaf([host], signedBy: root))
            policies = changing
            tls = ServerTLS(leaf)
            configuration.trust = .policies(changing.holder, anchors: .only([root.view]))
            configuration.clock = .fixed(factory.now)
            configuration.hostOverrides = [host: "127.0.0.1"]
        }
        configuration.httpVersions = plan.wire == .http2 ? .http2Only : .http1Only
        configuration.maximumConnectionsPerHost = plan.connectionsPerHost
        configuration.limits.connections = plan.connections
        let script = SoakServer(
            scheme: plan.wire != .plain ? "https" : "http", otherHost: plan.wire != .plain ? host : "127.0.0.1",
            swapsAnswers: plan.swapsAnswers)
        var servers: [ScriptedServer] = []
        for _ in 0..<2 {
            servers.append(
                try await ScriptedServer.start(
                    script.settings(tls: tls, version: plan.wire == .http2 ? .http2 : .http1)))
        }
        script.lead(to: servers[1].port)
        return Soak(plan, HTTPClient(configuration: configuration), script, policies, servers)
    }

    /// Runs one of the tasks that send requests one after the other.
    private func work() async {
        while let number = take() {
            policies?.proceed(to: number, of: plan.requests)
            let visit = SoakVisit(SoakCase(number, of: plan), port: { self.servers[$0].port }, soak: self)
            let result = await visit.run()
            report.withLock { result.note(in: &$0) }
        }
    }

    private func take() -> Int? {
        next.withLock { next in
            guard next < plan.requests else { return nil }
            defer { next += 1 }
            return next
        }
    }

    /// Shuts down and counts what is left over.
    private func end() async throws -> SoakReport {
        let waiting = client.waitingCount
        await client.shutdown()
        for server in servers {
            await server.waitForClosed(server.connectionCount)
        }
        var report = report.withLock(\.self)
        report.connections = servers.map(\.connectionCount).reduce(0, +)
        report.leaks =
            waiting + client.live.count + plan.connections - client.freeConnections
            + servers.map(\.openCount).reduce(0, +)
        for server in servers { try await server.stop() }
        return report
    }
}

/// The parameters of a soak. The same plan generates the same requests, faults and cancellations. Their interleaving
/// depends on the sockets.
public struct SoakPlan: Hashable, Sendable, Codable {
    /// The protocol between the client and the servers.
    public enum Wire: String, Hashable, Sendable, Codable, CaseIterable {
        /// HTTP/1.1 in the clear.
        case plain
        /// HTTP/1.1 over TLS 1.3, under a policy that is replaced during the soak.
        case tls
        /// HTTP/2 over TLS 1.3, under the same policies.
        case http2
    }

    /// The protocol between the client and the servers.
    public var wire: Wire
    /// The number of requests.
    public var requests: Int
    /// The seed of all random choices.
    public var seed: UInt64
    /// The maximum number of concurrent requests.
    public var concurrency = 48
    /// The maximum number of connections to one server. Fewer than ``concurrency``, so that requests wait.
    public var connectionsPerHost = 12
    /// The maximum number of connections to both servers. Fewer than twice ``connectionsPerHost``, so that hosts
    /// compete.
    public var connections = 16

    /// Whether the server swaps the bytes of one request in fifty with another's. The soak's own test sets this and
    /// expects violations.
    package var swapsAnswers = false

    /// Creates a plan.
    public init(_ wire: Wire, requests: Int, seed: UInt64) {
        self.wire = wire
        self.requests = max(1, requests)
        self.seed = seed
    }
}

/// The result of a soak.
public struct SoakReport: Hashable, Sendable, Codable {
    /// The parameters of the soak.
    public var plan: SoakPlan
    /// The duration of all requests together, in seconds.
    public var seconds = 0.0
    /// The number of requests for each outcome: `success`, or the code of the error.
    public var outcomes: [String: Int] = [:]
    /// The number of requests of each kind.
    public var kinds: [String: Int] = [:]
    /// The number of planned cancellations, by their time.
    public var cancellations: [String: Int] = [:]
    /// The number of requests that completed before their planned cancellation.
    public var cancelledTooLate = 0
    /// The number of compared bytes in response bodies.
    public var bodyBytes: Int64 = 0
    /// The number of connections that the servers accepted.
    public var connections = 0
    /// The number of connections still open on either side after the shutdown, of slots in the client's budget that
    /// were not returned, and of requests in its queues.
    public var leaks = 0
    /// The first twenty violations, in words.
    public var violations: [String] = []
    /// The number of violations.
    public var violationCount = 0

    init(plan: SoakPlan) {
        self.plan = plan
    }

    /// Whether every request ended with a permitted outcome and nothing was left over.
    public var isClean: Bool { violationCount == 0 && leaks == 0 && outcomes.values.reduce(0, +) == plan.requests }

    mutating func violated(_ text: String) {
        violationCount += 1
        if violations.count < 20 { violations.append(text) }
    }
}
