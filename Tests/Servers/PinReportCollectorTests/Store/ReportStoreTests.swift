import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// What is stored and how long, with each engine.
@Suite("Report stores")
struct ReportStoreTests {
    private let sample: Sample
    private var limits = ReportCollectorLimits()

    init() throws { sample = try Sample.shared.get() }

    @Test("PostgreSQL is tested", .enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped))
    func postgreSQLIsTested() {
        #expect(StoreEngine.available.contains(.postgreSQL))
    }

    @Test(arguments: StoreEngine.available)
    func sameBytesAreOneReportWithinTheWindow(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            let first = try await store.add(sample.incoming(1))
            guard case .stored(let id) = first else { throw Unexpected() }
            #expect(try await store.add(sample.incoming(1, at: 86_399)) == .repeated(id))
            guard case .stored(let next) = try await store.add(sample.incoming(1, at: 86_400)) else {
                throw Unexpected()
            }
            #expect(next > id)
            #expect(try await store.add(sample.incoming(1, at: 86_401)) == .repeated(next))
            guard case .stored = try await store.add(sample.incoming(2, at: 86_401)) else { throw Unexpected() }
            #expect(try await store.ids().count == 3)
        }
    }

    private struct Unexpected: Error {}

    @Test(arguments: StoreEngine.available)
    func identifierIsUniqueForItsTime(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            #expect(try await store.add(sample.incoming(1, id: "A")) == .stored(1))
            #expect(try await store.add(sample.incoming(1, id: "A", at: 8 * 86_400 - 1)) == .repeated(1))
            #expect(try await store.add(sample.incoming(2, id: "A")) == .conflicting)
            // Two apps may send equal reports; a report with an identifier differs from one without.
            guard case .stored = try await store.add(sample.incoming(1, id: "B")) else { throw Unexpected() }
            guard case .stored = try await store.add(sample.incoming(1)) else { throw Unexpected() }
            #expect(try await store.onlyIncident().summary.count == 3)
            guard case .stored(let next) = try await store.add(sample.incoming(1, id: "A", at: 8 * 86_400)) else {
                throw Unexpected()
            }
            #expect(try await store.add(sample.incoming(1, id: "A", at: 9 * 86_400)) == .repeated(next))
            #expect(try await store.totals(at: Sample.time).identities == 3)
        }
    }

    @Test(arguments: StoreEngine.available)
    func aBatchHasAnOutcomeForEachReport(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            #expect(try await store.add(sample.incoming(9, id: "old")) == .stored(1))
            let outcomes = try await store.add(
                [
                    sample.incoming(1, id: "A"), sample.incoming(1, id: "A"), sample.incoming(2, id: "A"),
                    sample.incoming(3), sample.incoming(3), sample.incoming(9, id: "old"),
                    sample.incoming(8, id: "old"),
                ], limits: limits)
            guard outcomes.count == 7, case .stored(let a) = outcomes[0], case .stored(let b) = outcomes[3] else {
                throw Unexpected()
            }
            #expect(a != b && a > 1 && b > 1)
            #expect(
                outcomes == [
                    .stored(a), .repeated(a), .conflicting, .stored(b), .repeated(b), .repeated(1), .conflicting,
                ])
            #expect(try await store.ids() == [a, b, 1].sorted(by: >))
            #expect(try await store.onlyIncident().summary.count == 3)
            #expect(try await store.add([], limits: limits).isEmpty)
        }
    }

    @Test(arguments: StoreEngine.available)
    func bytesAreStoredAsReceived(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            let report = try sample.incoming(1)
            _ = try await store.add(report)
            let stored = try #require(try await store.report(1))
            #expect(stored.body == report.body)
            #expect(stored.report.details == report.details)
            #expect(stored.report.receivedAt == Sample.time)
            #expect(try await store.report(2) == nil)
        }
    }

    @Test(arguments: StoreEngine.available)
    func countsStayExactWithoutBodies(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            _ = try await store.add(sample.incoming(1))
            var report = try sample.incoming(2)
            report.dropBody()
            _ = try await store.add(report)
            // The same report with its body is a repetition.
            #expect(try await store.add(sample.incoming(2)) == .repeated(2))
            let stored = try #require(try await store.report(2))
            #expect(stored.body == nil)
            #expect(stored.report.details == report.details)
            let incident = try await store.onlyIncident()
            #expect(incident.summary.count == 2)
            #expect(incident.samples == [1])
        }
    }

    @Test(arguments: StoreEngine.available)
    func oldestReportsAreRemovedAboveTheLimit(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            limits.storedReports = 3
            for number in 0..<10 { _ = try await store.add(sample.incoming(number), limits: limits) }
            #expect(try await store.ids() == [10, 9, 8])
            #expect(try await store.summary(ReportFilter()).reports == 3)
            limits.storedReports = 1
            _ = try await store.add(sample.incoming(11), limits: limits)
            #expect(try await store.ids() == [11])
            // The identities of removed reports are still known, and the incident counts all reports.
            #expect(try await store.add(sample.incoming(9), limits: limits) == .repeated(10))
            #expect(try await store.onlyIncident().summary.count == 11)
            #expect(try await store.totals(at: Sample.time).identities == 11)
        }
    }

    @Test(arguments: StoreEngine.available)
    func bytesAreBounded(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            _ = try await store.add(sample.incoming(0), limits: limits)
            let one = try await store.summary(ReportFilter()).bytes
            limits.storedBytes = one * 5
            for number in 1..<60 {
                _ = try await store.add(sample.incoming(number), limits: limits)
                #expect(try await store.summary(ReportFilter()).bytes <= limits.storedBytes)
            }
            #expect(try await store.ids().count >= 3)
        }
    }

    @Test(arguments: StoreEngine.available)
    func expiredReportsAndIncidentsAreRemoved(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            limits.storedFor = .seconds(86_400)
            _ = try await store.add(sample.incoming(1, id: "A", host: "old.example"), limits: limits)
            _ = try await store.add(sample.incoming(2, at: 86_400, host: "new.example"), limits: limits)
            try await store.expire(at: Sample.time.advanced(bySeconds: 86_400), limits: limits)
            #expect(try await store.ids() == [2, 1])
            try await store.expire(at: Sample.time.advanced(bySeconds: 2 * 86_400), limits: limits)
            #expect(try await store.ids() == [2])
            #expect(try await store.incidents(IncidentQuery()).incidents.map(\.key.host) == ["new.example"])
            let again = try await store.add(
                sample.incoming(1, id: "A", at: 2 * 86_400, host: "old.example"), limits: limits)
            #expect(again == .repeated(1))
            try await store.expire(at: Sample.time.advanced(bySeconds: 9 * 86_400), limits: limits)
            #expect(try await store.ids().isEmpty)
            #expect(try await store.totals(at: Sample.time).reports == 0)
            // The first identity has expired, the second one expires in the next second.
            #expect(try await store.totals(at: Sample.time).identities == 0)
            #expect(try await store.totals(at: Sample.time).oldestIdentity == nil)
        }
    }

    @Test(arguments: StoreEngine.available)
    func pagesHaveNoGapsOrRepeats(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            _ = try await store.add((0..<25).map { try sample.incoming($0) }, limits: limits)
            var query = ReportQuery(limit: 10)
            var seen: [Int64] = []
            repeat {
                let page = try await store.page(query)
                seen += page.reports.map(\.id)
                query.before = page.next
                // New reports do not move the pages.
                _ = try await store.add(sample.incoming(100 + seen.count))
            } while query.before != nil
            #expect(seen == (1...25).reversed().map { Int64($0) })
        }
    }

    @Test(arguments: StoreEngine.available)
    func filtersAreBoundValues(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            _ = try await store.add(sample.incoming(1, host: "a.example"))
            _ = try await store.add(sample.incoming(2, at: 86_400, host: "b.example"))
            var filter = ReportFilter(host: try CanonicalHost("A.example."))
            #expect(try await store.page(ReportQuery(filter: filter)).reports.map(\.id) == [1])
            filter = ReportFilter(since: Sample.time.advanced(bySeconds: 1))
            #expect(try await store.page(ReportQuery(filter: filter)).reports.map(\.id) == [2])
            filter = ReportFilter(result: .failedInvalidCertificateChain)
            #expect(try await store.page(ReportQuery(filter: filter)).reports.isEmpty)
            let summary = try await store.summary(ReportFilter())
            #expect(summary.rows.map(\.host) == ["b.example", "a.example"])
            #expect(summary.rows.map(\.count) == [1, 1])
            #expect(!summary.isCut)
        }
    }

    @Test(arguments: StoreEngine.available)
    func totalsCountReportsAndIncidents(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            _ = try await store.add(sample.incoming(1, at: -4_000, host: "a.example"))
            _ = try await store.add(sample.incoming(2, at: -1_000, host: "a.example"))
            _ = try await store.add(sample.incoming(3, host: "b.example"))
            let first = try #require(try await store.incidents(IncidentQuery(host: "b.example")).incidents.first)
            #expect(try await store.change(first.id, to: .resolved, by: "ana", at: Sample.time))
            let totals = try await store.totals(at: Sample.time)
            #expect(totals.reports == 3)
            #expect(totals.bytes > 0)
            #expect(totals.incidents == [.new: 1, .resolved: 1])
            #expect(totals.lastMinute == 1)
            #expect(totals.lastHour == 2)
        }
    }

    @Test(arguments: StoreEngine.available)
    func closedStoreThrows(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            #expect(await store.isReady())
            await store.close()
            #expect(await !store.isReady())
            await #expect(throws: ReportCollectorError.self) { try await store.add(sample.incoming(1)) }
            await #expect(throws: ReportCollectorError.self) { try await store.page(ReportQuery()) }
        }
    }
}
