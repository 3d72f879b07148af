#if PostgreSQL

import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import PostgreSQLClient
import Synchronization
import Testing

@testable import PinReportCollector

/// Three collectors in processes of their own share a database behind HAProxy. One of them is killed under load.
@Suite(
    "Collectors behind HAProxy", .enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped),
    .enabled(if: PeerProgram.haproxy.isInstalled, "haproxy is not installed: apt-get install haproxy"),
    .enabled(if: BuiltTool.path != nil, "the tool was not built with the tests: swift build --product holdfast"),
    .timeLimit(.minutes(2)))
struct HAProxyTests {
    private static let senders = 8
    private static let reportsOfSender = 40
    private static var reports: Int { senders * reportsOfSender }

    /// The answers of the collectors.
    private final class Answers: Sendable {
        private struct State {
            /// The number in the database by the number in the test.
            var stored: [Int: Int64] = [:]
            var before: Set<String> = []
            var after: Set<String> = []
            var hasKilled = false
        }

        private let state = Mutex(State())

        var stored: [Int: Int64] { state.withLock(\.stored) }
        /// Whether a collector was killed. Its process has ended.
        var hasKilled: Bool { state.withLock(\.hasKilled) }
        /// The collectors that accepted reports before the kill, and those that accepted reports sent after it.
        var collectors: (before: Set<String>, after: Set<String>) { state.withLock { ($0.before, $0.after) } }

        func kill() { state.withLock { $0.hasKilled = true } }

        /// Adds an answer. Returns whether it is the one after which a collector must be killed.
        func add(_ number: Int, id: Int64, from collector: String, sentAfterKill: Bool) -> Bool {
            state.withLock { state in
                state.stored[number] = id
                if sentAfterKill { state.after.insert(collector) }
                if !state.hasKilled { state.before.insert(collector) }
                return state.stored.count == HAProxyTests.reports / 4
            }
        }
    }

    @Test func aKilledCollectorLosesNoReport() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let tool = try #require(BuiltTool.path)
        let collectors = try (0..<3).map { _ in
            try PeerProcess(
                tool, ["serve", "collector", "--json", "--port", "0", "--database", url, "--per-minute", "0"])
        }
        defer { for collector in collectors { collector.stop() } }
        var ports: [Int] = []
        for collector in collectors { ports.append(try await Self.port(of: collector)) }
        let directory = try TemporaryDirectory()
        let (proxy, port) = try await PeerPort.start { [ports] port in
            let file = try directory.file("haproxy.cfg", Self.configuration(port, collectors: ports))
            return try PeerProgram.haproxy.start(["-db", "-f", file])
        }
        defer { proxy.stop() }

        let answers = Answers()
        let http = HTTPClient(configuration: TransportConfiguration(trust: .system()))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<Self.senders {
                group.addTask {
                    for index in 0..<Self.reportsOfSender {
                        let number = sender * Self.reportsOfSender + index
                        let isAfterKill = answers.hasKilled
                        let (id, collector) = try await Self.send(number, to: Int(port), with: http)
                        guard answers.add(number, id: id, from: collector, sentAfterKill: isAfterKill) else { continue }
                        collectors[0].stop()
                        // The output ends with the process.
                        _ = await collectors[0].rest()
                        answers.kill()
                    }
                }
            }
            try await group.waitForAll()
        }
        await http.shutdown()

        #expect(answers.collectors.before == ["collector0", "collector1", "collector2"])
        #expect(answers.collectors.after == ["collector1", "collector2"])
        #expect(collectors[1].isRunning && collectors[2].isRunning)
        let stored = answers.stored
        #expect(stored.count == Self.reports)
        #expect(Set(stored.values).count == Self.reports)
        let numbers = stored.values.map(String.init).joined(separator: ",")
        try await PostgreSQLServer.with(url) { client in
            let sums = [
                "SELECT count(*) FROM report WHERE id IN (\(numbers))", "SELECT count(*) FROM report",
                "SELECT count(*) FROM report_identity", "SELECT sum(count)::bigint FROM incident",
                "SELECT sum(count)::bigint FROM incident_hour", "SELECT sum(reports)::bigint FROM report_total",
            ]
            for sql in sums {
                let sum = try await client.number(sql)
                #expect(sum == Int64(Self.reports), "\(sql.prefix(60))")
            }
        }
    }

    /// Sends a report until a collector has stored it, always with the same key. Returns its number in the database,
    /// and the name of the collector.
    private static func send(
        _ number: Int, to port: Int, with http: HTTPClient
    ) async throws -> (id: Int64, collector: String) {
        let body = try Sample.shared.get().numbered(number, host: "h\(number % 5).example")
        var request = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:\(port)", path: "/reports")
        request.headerFields[.contentType] = "application/json"
        request.headerFields[try #require(HTTPField.Name("Idempotency-Key"))] = "\"report-\(number)\""
        let name = try #require(HTTPField.Name("X-Collector"))
        var last = ""
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            do {
                let answer = try await http.collect(request, body: .bytes(body), upTo: 1 << 16)
                if answer.status == 200 || answer.status == 201, let id = try answer.object["id"]?.number {
                    return (Int64(id), answer.response.headerFields[name] ?? "")
                }
                // The proxy answers 502 or 503 for the killed collector.
                try #require(answer.status == 502 || answer.status == 503, "\(answer.status)")
                last = "\(answer.status)"
            } catch let error as TransportError {
                last = "\(error)"
            }
        }
        throw NotStored(last: last)
    }

    private struct NotStored: Error {
        let last: String
    }

    /// Waits until a collector listens, and returns its port.
    private static func port(of collector: PeerProcess) async throws -> Int {
        let ready = try JSONObject(Array(await collector.firstLine().utf8))
        return try #require(ready["url"]?.text.flatMap { URL(string: $0)?.port })
    }

    /// All connections of the proxy come from one address, of which a collector accepts 64. Further requests wait in
    /// the proxy. A report that a dead collector did not receive goes to another one. One that was lost with its
    /// collector is answered with 502, and the client sends it again.
    private static func configuration(_ port: UInt16, collectors: [Int]) -> String {
        let servers = collectors.enumerated().map { "    server collector\($0.offset) 127.0.0.1:\($0.element)" }
        return """
            global
                maxconn 200
            defaults
                mode http
                timeout connect 5s
                timeout client 60s
                timeout server 60s
                timeout check 20s
                retries 3
                option redispatch 1
                default-server check inter 500ms fall 3 rise 1 maxconn 60
            frontend reports
                bind 127.0.0.1:\(port)
                default_backend collectors
            backend collectors
                balance roundrobin
                option httpchk GET /health
                http-response set-header X-Collector %s
            \(servers.joined(separator: "\n"))

            """
    }
}

#endif
