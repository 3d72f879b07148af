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
