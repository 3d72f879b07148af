import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import PinReports
import ServerKit
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

@testable import PinReportCollector

/// A collector in a service group, and its endpoints for supervisors.
@Suite("Collector: service", .timeLimit(.minutes(1)))
struct CollectorServiceTests {
    @Test func gracefulShutdownAnswersTheRequestInProgress() async throws {
        let body = try Sample.bytes(try Sample.shared.get().trustKit)
        var configuration = ReportCollectorConfiguration()
        configuration.clock = ManualTrustClock(Sample.time).clock
        let collector = try ReportCollector(configuration: configuration)
        let service: any Service = collector
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            let peer = try await RawPeer.connect(to: try await collector.runState.started())
            // The answer to the first request shows that the beginning of the second was read.
            let head =
                "GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "POST /reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.count)\r\n\r\n"
            try await peer.send(Array(head.utf8) + body.prefix(10))
            try await peer.something()
            trigger.triggerGracefulShutdown()
            try await peer.send(Array(body.dropFirst(10)))
            #expect(try await peer.everything().contains("HTTP/1.1 201 "))
            // Without the handler, the end would be unexpected, which is an error.
            try await run
            #expect(collector.runState.isStopRequested)
        }
    }

    @Test func shutdownBeforeTheStartPreventsIt() async throws {
        let collector = try ReportCollector(configuration: ReportCollectorConfiguration())
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await collector.run()
        }
        #expect(collector.runState.isStopRequested)
    }

    // MARK: Health

    @Test func aRunningCollectorIsLiveAndReady() async throws {
        try await CollectorUnderTest.with {
            $0.token = try ReaderToken("0123456789abcdef")
        } _: { test async throws in
            for path in ["/health", "/health/live", "/health/ready"] {
                let response = try await test.request(.get, path)
                #expect(response.status == 200, "\(path)")
                #expect(try response.object["status"]?.text == "ok")
                #expect(try await test.request(.head, path).body.isEmpty)
                #expect(try await test.request(.post, path).status == 405)
                #expect(try await test.request(.get, path + "?a=b").status == 400)
            }
            #expect(try await test.request(.get, "/health/other").status == 404)
        }
    }

    private final class Toggle: Sendable {
        let value = Mutex(false)
    }

    @Test func readinessDependsOnDatabaseAndShutdown() async throws {
        let (store, isDraining, seconds) = (MemoryReportStore(), Toggle(), Seconds())
        var configuration = ReportCollectorConfiguration()
        configuration.uptime = { seconds.nanoseconds }
        let service = ReportService(
            configuration: configuration, store: store, concurrency: 1,
            events: EventOutlet(uptime: { 0 }, nil), isDraining: { isDraining.value.withLock { $0 } })
        func status(_ path: String) async throws -> Int {
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
            let request = CollectorRequest(head, from: PeerAddress("192.0.2.1"))
            return try await service.answer(request) { _ in [] }.status.code
        }
        #expect(try await status("/health/ready") == 200)
        store.fail(ReportCollectorError(.unreadableDatabase, "The database is away."))
        // Within a second, the last answer is used.
        #expect(try await status("/health/ready") == 200)
        seconds.advance()
        #expect(try await status("/health/ready") == 503)
        #expect(try await status("/health/live") == 200)
        store.fail(nil)
        seconds.advance()
        #expect(try await status("/health/ready") == 200)
        isDraining.value.withLock { $0 = true }
        #expect(try await status("/health/ready") == 503)
        #expect(try await status("/health/live") == 200)
    }

    private final class Seconds: Sendable {
        private let count = Mutex<Int64>(0)
        var nanoseconds: Int64 { count.withLock { $0 } * 1_000_000_000 }
        func advance() { count.withLock { $0 += 1 } }
    }

    /// Anyone can ask for the health, without a limit. The database is asked once a second for each endpoint.
    @Test(arguments: ["/health", "/health/ready"])
    func aFloodOfHealthRequestsIsOneCheck(_ path: String) async throws {
        let (store, seconds) = (MemoryReportStore(), Seconds())
        var configuration = ReportCollectorConfiguration()
        configuration.uptime = { seconds.nanoseconds }
        let service = ReportService(
            configuration: configuration, store: store, concurrency: 1, events: EventOutlet(uptime: { 0 }, nil))
        func flood() async -> Set<Int> {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
                        let request = CollectorRequest(head, from: PeerAddress("192.0.2.1"))
                        return (try? await service.answer(request) { _ in [] }.status.code) ?? 0
                    }
                }
                return await group.reduce(into: []) { $0.insert($1) }
            }
        }
        #expect(await flood() == [200])
        #expect(store.reads == 1)
        store.fail(ReportCollectorError(.unreadableDatabase, "The database is away."))
        seconds.advance()
        #expect(await flood() == [503])
        #expect(store.reads == 2)
        // Requests of a load balancer are not events. The other endpoint logs one for each failed check.
        #expect(service.events.counters.counts.storageFailures == (path == "/health" ? 1 : 0))
    }

    /// An operator can change a limit, unlike a broken database: the codes differ.
    @Test(arguments: [
        (ReportCollectorError.Code.databaseFull, "databaseFull"), (.identitiesFull, "identitiesFull"),
        (.databaseWriteFailed, "storage"), (.unreachableDatabase, "storage"), (.overloaded, "overloaded"),
    ])
    func fullDatabasesHaveCodesOfTheirOwn(_ code: ReportCollectorError.Code, _ expected: String) async throws {
        let store = MemoryReportStore()
        store.fail(ReportCollectorError(code, "A reason."))
        let service = ReportService(
            configuration: ReportCollectorConfiguration(), store: store, concurrency: 1,
            events: EventOutlet(uptime: { 0 }, nil))
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/health")
        let answer = try await service.answer(CollectorRequest(head, from: PeerAddress("192.0.2.1"))) { _ in [] }
        #expect(answer.status.code == 503)
        #expect(answer.headers[.retryAfter] != nil)
        let body = try JSONObject(Array(JSONWriter.text(answer.json).utf8))
        #expect(body["error"]?.text == expected)
    }

    @Test(arguments: ["/health/live", "/health/ready", "/health/other"])
    func reportsAreNotPostedToHealthPaths(_ path: String) {
        var configuration = ReportCollectorConfiguration()
        configuration.intakePaths = [path]
        #expect(throws: ReportCollectorError.self) { try configuration.check() }
    }
}
