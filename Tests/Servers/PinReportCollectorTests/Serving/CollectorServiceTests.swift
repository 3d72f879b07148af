import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
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
        let (store, isDraining) = (MemoryReportStore(), Toggle())
        let service = ReportService(
            configuration: ReportCollectorConfiguration(), store: store, concurrency: 1,
            events: EventOutlet(uptime: { 0 }, nil), isDraining: { isDraining.value.withLock { $0 } })
        func status(_ path: String) async throws -> Int {
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
            let request = CollectorRequest(head, from: PeerAddress("192.0.2.1"))
            return try await service.answer(request) { _ in [] }.status.code
        }
        #expect(try await status("/health/ready") == 200)
        store.fail(ReportCollectorError(.unreadableDatabase, "The database is away."))
        #expect(try await status("/health/ready") == 503)
        #expect(try await status("/health/live") == 200)
        store.fail(nil)
        #expect(try await status("/health/ready") == 200)
        isDraining.value.withLock { $0 = true }
        #expect(try await status("/health/ready") == 503)
        #expect(try await status("/health/live") == 200)
    }

    @Test(arguments: ["/health/live", "/health/ready", "/health/other"])
    func reportsAreNotPostedToHealthPaths(_ path: String) {
        var configuration = ReportCollectorConfiguration()
        configuration.intakePaths = [path]
        #expect(throws: ReportCollectorError.self) { try configuration.check() }
    }
}
