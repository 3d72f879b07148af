import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization

/// Thousands of requests of every kind against servers that behave, misbehave and fall silent, many of them cancelled:
/// each has to end once, with its own bytes or a typed error, and nothing may be left behind.
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

    /// Runs a soak, on the loopback. Throws if the servers cannot be started.
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

    /// One of the tasks that send requests, one after the other.
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

    /// Shuts down, and counts what is left.
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

/// What a soak does. The same plan draws the same requests, faults and cancellations; how they interleave is up to the
/// sockets.
public struct SoakPlan: Hashable, Sendable, Codable {
    /// How client and servers talk.
    public enum Wire: String, Hashable, Sendable, Codable, CaseIterable {
        /// HTTP/1.1 in the clear.
        case plain
        /// HTTP/1.1 over TLS 1.3, judged by a policy that changes on the way.
        case tls
        /// HTTP/2 over TLS 1.3, under the same policies.
        case http2
    }

    /// How client and servers talk.
    public var wire: Wire
    /// How many requests.
    public var requests: Int
    /// What all random choices follow from.
    public var seed: UInt64
    /// How many requests are under way at a time.
    public var concurrency = 48
    /// Connections to one server. Fewer than ``concurrency``, so that requests wait.
    public var connectionsPerHost = 12
    /// Connections to both servers together. Fewer than twice ``connectionsPerHost``, so that hosts wait for each other.
    public var connections = 16

    /// A server that gives one request in fifty the bytes of another: the soak has to notice. For its own test.
    package var swapsAnswers = false

    /// Plans a soak.
    public init(_ wire: Wire, requests: Int, seed: UInt64) {
        self.wire = wire
        self.requests = max(1, requests)
        self.seed = seed
    }
}

/// What came of a soak.
public struct SoakReport: Hashable, Sendable, Codable {
    /// What was done.
    public var plan: SoakPlan
    /// How long all requests took together, in seconds.
    public var seconds = 0.0
    /// How the requests ended: `success`, or the code of the error.
    public var outcomes: [String: Int] = [:]
    /// How many requests there were of each kind.
    public var kinds: [String: Int] = [:]
    /// How many of them were to be cancelled, and when.
    public var cancellations: [String: Int] = [:]
    /// Requests that were to be cancelled and were complete before.
    public var cancelledTooLate = 0
    /// Bytes of response bodies that were compared.
    public var bodyBytes: Int64 = 0
    /// Connections that the servers have seen.
    public var connections = 0
    /// Connections that were open on either side after the shut-down, places in the client's budget that were not given
    /// back, and requests in its queues.
    public var leaks = 0
    /// What must not happen: the first twenty, in words.
    public var violations: [String] = []
    /// How many of them there were.
    public var violationCount = 0

    init(plan: SoakPlan) {
        self.plan = plan
    }

    /// Whether every request ended as it may, and nothing was left behind.
    public var isClean: Bool { violationCount == 0 && leaks == 0 && outcomes.values.reduce(0, +) == plan.requests }

    mutating func violated(_ text: String) {
        violationCount += 1
        if violations.count < 20 { violations.append(text) }
    }
}
