import HoldfastTransport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// Identities outlive the reports, with each engine.
@Suite("Identities of reports")
struct ReportIdentityTests {
    private let sample: Sample
    private var limits = ReportCollectorLimits()

    init() throws { sample = try Sample.shared.get() }

    /// A reporter repeats a report for a week. An identity must not be forgotten before.
    @Test func identitiesOutliveTheLongestRetry() {
        let retries = ReportSpoolLimits().age
        #expect(limits.identityTime.components.seconds >= retries + 86_400)
        #expect(limits.identityLifetime >= limits.repetitionWindow.components.seconds)
    }

    /// The answer to the first report is lost. Before the reporter repeats it, a flood has displaced the report. The
    /// repetition would count twice if its identity had been removed with it.
    @Test(arguments: StoreEngine.available, [true, false])
    func aLostAnswerCountsOnceAfterAFlood(_ engine: StoreEngine, _ keepsIdentities: Bool) async throws {
        try await engine.with { store async throws in
            var limits = limits
            limits.storedReports = 3
            // The identity of a report that is removed at once stands for the earlier rule.
            if !keepsIdentities { limits.identityTime = .seconds(20) }
            _ = try await store.add(sample.incoming(0, id: "lost"), limits: limits)
            for number in 1..<10 {
                _ = try await store.add(sample.incoming(number, id: "\(number)", at: 10), limits: limits)
            }
            #expect(try await !store.ids().contains(1))
            // The first retry is after 20 seconds or later.
            let outcome = try await store.add(sample.incoming(0, id: "lost", at: 21), limits: limits)
            #expect((outcome == .repeated(1)) == keepsIdentities)
            #expect(try await store.onlyIncident().summary.count == (keepsIdentities ? 10 : 11))
            guard keepsIdentities else { return }
            // Another report with this identifier is refused as before.
            #expect(try await store.add(sample.incoming(77, id: "lost", at: 22), limits: limits) == .conflicting)
            #expect(try await store.totals(at: Sample.time).identities == 10)
        }
    }

    @Test(arguments: StoreEngine.available)
    func theOldestIdentitiesAreRemovedAboveTheLimit(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            limits.identities = 10
            func batch(_ numbers: Range<Int>, at time: Int64) throws -> [IncomingReport] {
                try numbers.map { try sample.incoming($0, id: "\($0)", at: time) }
            }
            _ = try await store.add(batch(0..<5, at: 0), limits: limits)
            _ = try await store.add(batch(5..<10, at: 1), limits: limits)
            // Repetitions remove nothing.
            _ = try await store.add(batch(0..<10, at: 1_801), limits: limits)
            _ = try await store.add(batch(10..<15, at: 1_801), limits: limits)
            #expect(try await store.onlyIncident().summary.count == 15)
            // The limit is exceeded. After 30 minutes, identities may be removed: first those of the first second.
            let known = try await store.add(batch(5..<10, at: 1_802), limits: limits)
            #expect(known.allSatisfy { if case .repeated = $0 { true } else { false } })
            #expect(try await store.totals(at: Sample.time).identities == 10)
            #expect(try await store.totals(at: Sample.time).oldestIdentity == Sample.time.advanced(bySeconds: 1))
            #expect(try await store.onlyIncident().summary.count == 15)
        }
    }

    /// If identities from the last 30 minutes were removed, a flood could make retries count twice.
    @Test(arguments: StoreEngine.available)
    func recentIdentitiesAreNeverRemoved(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            limits.identities = 10
            func batch(_ numbers: Range<Int>, at time: Int64) throws -> [IncomingReport] {
                try numbers.map { try sample.incoming($0, id: "\($0)", at: time) }
            }
            _ = try await store.add(batch(0..<11, at: 0), limits: limits)
            do {
                _ = try await store.add(batch(11..<13, at: 1_799), limits: limits)
                Issue.record("stored")
            } catch let error as ReportCollectorError {
                #expect(error.code == .identitiesFull)
            }
            #expect(try await store.onlyIncident().summary.count == 11)
            #expect(try await store.totals(at: Sample.time).identities == 11)
            #expect(try await store.add(batch(11..<13, at: 1_800), limits: limits).count == 2)
            #expect(try await store.onlyIncident().summary.count == 13)
            #expect(try await store.totals(at: Sample.time).identities == 12)
        }
    }

    /// A lowered limit removes the surplus in several steps, and refuses nothing.
    @Test(arguments: StoreEngine.available)
    func aLoweredLimitRefusesNothing(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            _ = try await store.add((0..<50).map { try sample.incoming($0) }, limits: limits)
            limits.identities = 5
            #expect(try await store.add([sample.incoming(50, at: 1_800)], limits: limits).count == 1)
            #expect(try await store.totals(at: Sample.time).identities == 6)
        }
    }

    @Test(arguments: StoreEngine.available)
    func expiredIdentitiesAreRemovedInSteps(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            // More than one step of SQLite.
            for start in stride(from: 0, to: 2_500, by: 500) {
                let batch = try (start..<start + 500).map { try sample.incoming($0) }
                _ = try await store.add(batch, limits: limits)
            }
            #expect(try await store.totals(at: Sample.time).identities == 2_500)
            try await store.expire(at: Sample.time.advanced(bySeconds: 8 * 86_400 - 1), limits: limits)
            #expect(try await store.totals(at: Sample.time).identities == 2_500)
            try await store.expire(at: Sample.time.advanced(bySeconds: 8 * 86_400), limits: limits)
            #expect(try await store.totals(at: Sample.time).identities == 0)
            #expect(try await store.totals(at: Sample.time).reports == 2_500)
        }
    }
}
