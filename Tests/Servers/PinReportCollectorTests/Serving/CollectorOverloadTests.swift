import HTTPTypes
import HoldfastBase
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import ServerKit
import Synchronization
import Testing

@testable import PinReportCollector

/// What senders learn under overload, and while the database is away.
@Suite("Collector: overload", .serialized, .timeLimit(.minutes(2)))
struct CollectorOverloadTests {
    let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private static let sampling = HTTPField.Name("Holdfast-Report-Sampling")

    /// Above the configured rate, every report is counted, but not every body is stored.
    @Test func bodiesAreSampledAboveTheRate() async throws {
        let name = try #require(Self.sampling)
        try await CollectorUnderTest.with {
            $0.limits.burst = 0
            $0.limits.bodiesPerSecond = 10
            $0.dangerouslyAllowsReadingWithoutToken = true
        } _: { test async throws in
            let first = try await test.post(sample.numbered(0))
            #expect(first.status == 201)
            #expect(first.response.headerFields[name] == nil)
            for number in 1..<100 { #expect(try await test.post(sample.numbered(number)).status == 201) }
            let last = try await test.post(sample.numbered(100))
            #expect(last.status == 201)
            #expect(last.response.headerFields[name] == "0.09")
            // The first 20 of the incident have their bodies, and about a tenth of the others.
            var bodies = 0
            for number in 1...101 where try await test.object("/reports/\(number)")["report"] != nil { bodies += 1 }
            #expect((20...50).contains(bodies))
            #expect(try await test.object("/reports/summary").list("counts").first?["count"]?.number == 101)
        }
    }

    /// A report that finds a full queue is refused. One that waits is answered only when its batch has ended.
    @Test func aFullQueueIsRefused() async throws {
        var configuration = ReportCollectorConfiguration()
        configuration.clock = ManualTrustClock(Sample.time).clock
        configuration.uptime = { 0 }
        configuration.entropy = { 0 }
        configuration.limits.queuedReports = 1
        let service = ReportService(
            configuration: configuration, store: MemoryReportStore(), concurrency: 1,
            events: EventOutlet(uptime: { 0 }, nil))
        let sample = sample
        @Sendable func post(_ number: Int) async throws -> CollectorAnswer {
            var head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/reports")
            head.headerFields[.contentType] = "application/json"
            let body = try sample.numbered(number)
            return try await service.answer(CollectorRequest(head, from: PeerAddress("192.0.2.1"))) { _ in body }
        }
        async let waiting = post(1)
        while service.intake.count < 1 { await Task.yield() }
        let refused = try await post(2)
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.headers[.retryAfter] == "20")
        #expect(JSONWriter.text(refused.json).contains("\"overloaded\""))
        // The collector ends before the batch is stored.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await service.intake.run() }
            group.cancelAll()
        }
        let ended = try await waiting
        #expect(ended.status == .serviceUnavailable)
        #expect(ended.headers[.retryAfter] == "60")
    }

    @Test func waitsHaveJitter() async throws {
        try await CollectorUnderTest.with {
            $0.limits.burst = 1
            $0.limits.perMinute = 1
            $0.entropy = { 20 }
        } _: { test async throws in
            #expect(try await test.post(sample.numbered(0)).status == 201)
            let refused = try await test.post(sample.numbered(1))
            #expect(refused.status == 429)
            let wait = try #require(refused.response.headerFields[.retryAfter].flatMap { Int64($0) })
            // The base depends on the size of the report; the jitter of 20 seconds comes on top.
            #expect(wait >= 80 && (wait - 20) % 60 == 0)
        }
    }
}

#if PostgreSQL

/// Collectors with PostgreSQL.
@Suite(
    "Collector: PostgreSQL", .serialized, .enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped),
    .timeLimit(.minutes(2)))
struct CollectorPostgreSQLTests {
    let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private final class Seconds: Sendable {
        private let count = Atomic<Int64>(0)
        func next() -> Int64 { count.add(1_000_000_000, ordering: .relaxed).newValue }
    }

    @Test func databaseIsAwayAndReturns() async throws {
        let server = try await PostgreSQLServer.shared.value
        let url = try await server.newDatabase()
        let name = String(url.dropFirst("postgresql://holdfast@/".count).prefix { $0 != "?" })
        let seconds = Seconds()
        try await CollectorUnderTest.with {
            $0.databaseURL = url
            // The answer about the health is used for a second, so each request has another one.
            $0.uptime = { seconds.next() }
        } _: { test async throws in
            #expect(try await test.post(sample.numbered(1), id: "one").status == 201)
            try await server.execute("ALTER DATABASE \(name) WITH ALLOW_CONNECTIONS false", in: "postgres")
            try await server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'", in: "postgres")
            let refused = try await test.post(sample.numbered(2), id: "two")
            #expect(refused.status == 503)
            #expect(refused.error == "storage")
            #expect(
                refused.response.headerFields[.retryAfter].flatMap { Int($0) }.map { (60...90).contains($0) } == true)
            #expect(try await test.request(.get, "/health").status == 503)
            try await server.execute("ALTER DATABASE \(name) WITH ALLOW_CONNECTIONS true", in: "postgres")
            #expect(try await test.request(.get, "/health").status == 200)
            #expect(try await test.post(sample.numbered(2), id: "two").status == 201)
            #expect(try await test.post(sample.numbered(1), id: "one").status == 200)
            #expect(try await test.object("/reports").list("reports").count == 2)
        }
    }

    @Test func threeCollectorsShareADatabase() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let sample = sample
        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await CollectorUnderTest.with {
                        $0.databaseURL = url
                        $0.limits.burst = 0
                    } _: { test async throws in
                        var statuses: [Int] = []
                        for number in 0..<30 {
                            statuses.append(try await test.post(sample.numbered(number), id: "\(number)").status)
                        }
                        return statuses
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(statuses.filter { $0 == 201 }.count == 30)
        #expect(statuses.filter { $0 == 200 }.count == 60)
    }

    @Test func unreachableDatabaseEndsTheStart() async throws {
        do {
            try await CollectorUnderTest.with {
                $0.databaseURL = "postgresql://c:secret-word@/reports?host=/no/such/folder"
            } _: { (_) async throws -> Void in
                Issue.record("it runs")
            }
        } catch let error as ReportCollectorError {
            #expect(error.code == .unreachableDatabase)
            #expect(!error.description.contains("secret-word"))
        }
    }
}

#endif
