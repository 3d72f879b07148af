import HoldfastTestSupport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// Incidents, with each engine.
@Suite("Incidents in report stores")
struct IncidentStoreTests {
    private let sample: Sample
    private let limits = ReportCollectorLimits()

    init() throws { sample = try Sample.shared.get() }

    @Test(arguments: StoreEngine.available)
    func reportsWithTheSameKeyAreOneIncident(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            for number in 0..<6 {
                _ = try await store.add(
                    sample.incoming(number % 2, id: "\(number)", at: Int64(number) * 1_800) {
                        $0["app-vendor-id"] = "client \(number % 3)"
                        $0["holdfast-policy-version"] = number < 4 ? 7 : 8
                    })
            }
            let incident = try await store.onlyIncident()
            #expect(incident.summary.key.app == "com.example.shop")
            #expect(incident.summary.key.host == Sample.host)
            #expect(incident.summary.key.result == 1)
            #expect(incident.summary.key.seenPin == "sha256/" + sample.leaf.spkiDigest.base64)
            #expect(incident.summary.state == .new)
            #expect(incident.summary.firstSeen == Sample.time)
            #expect(incident.summary.lastSeen == Sample.time.advanced(bySeconds: 9_000))
            #expect(incident.summary.count == 6)
            #expect(incident.summary.clients == 3)
            #expect(incident.summary.isExact)
            #expect(incident.appVersions == [FacetCount(value: "1.0", count: 3), FacetCount(value: "1.1", count: 3)])
            #expect(incident.policyVersions == [FacetCount(value: "7", count: 4), FacetCount(value: "8", count: 2)])
            #expect(incident.platforms == [FacetCount(value: "IOS 18.0.1", count: 6)])
            #expect(incident.hours.map(\.count) == [2, 2, 2])
            #expect(incident.hours.first?.hour == Sample.time)
            #expect(incident.samples == [6, 5, 4, 3, 2, 1])
            #expect(incident.knownPins.count == 2)
            #expect(incident.history == [StateChange(state: .new, at: Sample.time, by: "")])
        }
    }

    @Test(arguments: StoreEngine.available)
    func eachPartOfTheKeySeparatesIncidents(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            let root = sample.root.certificatePEM
            _ = try await store.add(
                [
                    sample.incoming(1), sample.incoming(1, host: "b.example"),
                    sample.incoming(1) { $0["app-bundle-id"] = "com.example.other" },
                    sample.incoming(1) { $0["validation-result"] = 2 },
                    sample.incoming(1) { $0["validated-certificate-chain"] = [root] },
                    sample.incoming(1) { $0["validated-certificate-chain"] = [String]() },
                ], limits: limits)
            let incidents = try await store.incidents(IncidentQuery()).incidents
            #expect(incidents.map(\.count) == [1, 1, 1, 1, 1, 1])
            #expect(Set(incidents.map(\.key)).count == 6)
        }
    }

    @Test(arguments: StoreEngine.available)
    func stateFollowsPeopleAndReports(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            func time(_ seconds: Int64) -> Timestamp { Sample.time.advanced(bySeconds: seconds) }
            func failure(_ number: Int, failedAt: Int64, at seconds: Int64) throws -> IncomingReport {
                try sample.incoming(number, at: seconds) { $0["date-time"] = time(failedAt).description }
            }
            _ = try await store.add(failure(1, failedAt: 0, at: 0))
            let id = try await store.onlyIncident().summary.id
            #expect(try await store.change(id, to: .acknowledged, by: "ana", at: time(10)))
            #expect(try await !store.change(id, to: .acknowledged, by: "ben", at: time(11)))
            #expect(try await !store.change(id, to: .cameBack, by: "ben", at: time(11)))
            #expect(try await !store.change(id + 99, to: .resolved, by: "ben", at: time(11)))
            #expect(try await store.change(id, to: .resolved, by: "ben", at: time(20)))
            // A report of a failure before the change arrives late.
            _ = try await store.add(failure(2, failedAt: 19, at: 30))
            #expect(try await store.onlyIncident().summary.state == .resolved)
            _ = try await store.add(failure(3, failedAt: 25, at: 40))
            let incident = try await store.onlyIncident()
            #expect(incident.summary.state == .cameBack)
            #expect(
                incident.history == [
                    StateChange(state: .new, at: time(0), by: ""),
                    StateChange(state: .acknowledged, at: time(10), by: "ana"),
                    StateChange(state: .resolved, at: time(20), by: "ben"),
                    StateChange(state: .cameBack, at: time(40), by: ""),
                ])
        }
    }

    @Test(arguments: StoreEngine.available)
    func valuesBeyondTheLimitAreCountedTogether(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            // The first batch exceeds the limit by itself, the second one has known and new values.
            _ = try await store.add((0..<105).map { try sample.incoming($0) }, limits: limits)
            var incident = try await store.onlyIncident()
            #expect(incident.appVersions.count == 101)
            #expect(incident.appVersions.last == FacetCount(other: 5))
            let known = try #require(incident.appVersions.first?.value)
            _ = try await store.add(
                [
                    sample.incoming(500, id: "new"), sample.incoming(501, id: "new too"),
                    sample.incoming(0, id: "known") { $0["app-version"] = known },
                ], limits: limits)
            incident = try await store.onlyIncident()
            #expect(incident.appVersions.first == FacetCount(value: known, count: 2))
            #expect(incident.appVersions.count == 101)
            #expect(incident.appVersions.last == FacetCount(other: 7))
            #expect(incident.appVersions.map(\.count).reduce(0, +) == incident.summary.count)
        }
    }

    @Test(arguments: StoreEngine.available)
    func pagesOfIncidentsHaveNoGaps(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            // Several incidents have the same time.
            _ = try await store.add(
                (0..<23).map { try sample.incoming($0, at: Int64($0 / 4), host: "h\($0).example") }, limits: limits)
            var query = IncidentQuery(limit: 5)
            var seen: [IncidentSummary] = []
            repeat {
                let page = try await store.incidents(query)
                #expect(page.incidents.count <= 5)
                seen += page.incidents
                query.before = page.next
            } while query.before != nil
            #expect(Set(seen.map(\.id)).count == 23)
            #expect(seen.map(\.lastSeen) == seen.map(\.lastSeen).sorted(by: >))
            #expect(try await store.incidents(IncidentQuery(host: "h3.example")).incidents.count == 1)
            #expect(try await store.incidents(IncidentQuery(app: "com.example.shop")).incidents.count == 23)
            #expect(try await store.incidents(IncidentQuery(app: "com.example")).incidents.isEmpty)
            #expect(try await store.incidents(IncidentQuery(state: .resolved)).incidents.isEmpty)
            let since = Sample.time.advanced(bySeconds: 5)
            #expect(try await store.incidents(IncidentQuery(since: since)).incidents.count == 3)
        }
    }

    /// Forged reports about many hosts must not remove an incident with many reports.
    @Test(arguments: StoreEngine.available)
    func aFloodOfIncidentsRemovesItself(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            limits.incidents = 10
            for number in 0..<3 {
                _ = try await store.add(sample.incoming(number, host: "real.example"), limits: limits)
            }
            _ = try await store.add(
                (0..<50).map { try sample.incoming($0, at: Int64($0), host: "h\($0).example") }, limits: limits)
            let incidents = try await store.incidents(IncidentQuery()).incidents
            #expect(incidents.count == 10)
            #expect(incidents.last?.key.host == "real.example")
            #expect(incidents.last?.count == 3)
        }
    }

    /// An attacker fills all places with forged incidents of several reports. Then a real incident begins with one
    /// report. The earlier rule removed the incident with the fewest reports, which is the real one.
    @Test(arguments: StoreEngine.available)
    func forgedIncidentsDoNotSuppressANewOne(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            limits.incidents = 40
            try await Self.forge(0..<40, reports: 3, at: 0, in: store, sample, limits)
            _ = try await store.add(sample.incoming(1, id: "real", at: 100, host: "real.example"), limits: limits)
            // The flood goes on. The real incident has the fewest reports of all.
            try await Self.forge(40..<60, reports: 3, at: 200, in: store, sample, limits)
            try await Self.forge(60..<75, reports: 1, at: 300, in: store, sample, limits)
            let found = try await store.incidents(IncidentQuery(limit: 200)).incidents
            #expect(found.count == 40)
            #expect(found.contains { $0.key.host == "real.example" && $0.count == 1 })
            #expect(found.filter { $0.count == 3 }.count == 24)
        }
    }

    /// The other order: the real incident is there first.
    @Test(arguments: StoreEngine.available)
    func forgedIncidentsDoNotDisplaceAnEarlierOne(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            var limits = limits
            limits.incidents = 40
            for number in 0..<5 {
                _ = try await store.add(
                    sample.incoming(number, id: "real \(number)", host: "real.example"), limits: limits)
            }
            _ = try await store.add(sample.incoming(1, id: "small", host: "small.example"), limits: limits)
            let small = try #require(try await store.incidents(IncidentQuery(host: "small.example")).incidents.first)
            #expect(try await store.change(small.id, to: .acknowledged, by: "ana", at: Sample.time))
            try await Self.forge(0..<100, reports: 1, at: 100, in: store, sample, limits)
            try await Self.forge(100..<160, reports: 3, at: 200, in: store, sample, limits)
            let found = try await store.incidents(IncidentQuery(limit: 200)).incidents
            #expect(found.count == 40)
            #expect(found.contains { $0.key.host == "real.example" && $0.count == 5 })
            // A person has seen this one, which no attacker can claim.
            #expect(found.contains { $0.key.host == "small.example" && $0.count == 1 })
        }
    }

    /// Stores forged incidents, each about its own host, in batches.
    private static func forge(
        _ numbers: Range<Int>, reports: Int, at time: Int64, in store: any ReportStore, _ sample: Sample,
        _ limits: ReportCollectorLimits
    ) async throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 10) {
            let batch = try (start..<min(start + 10, numbers.upperBound)).flatMap { number in
                try (0..<reports).map {
                    try sample.incoming($0, id: "\(number) \($0)", at: time + Int64(number), host: "f\(number).example")
                }
            }
            _ = try await store.add(batch, limits: limits)
        }
    }

    @Test(arguments: 0...40)
    func theGroupsShareAllPlaces(_ limit: Int) {
        let places = IncidentPlaces.places(limit)
        #expect(places.count == 5)
        #expect(places.reduce(0, +) == limit)
        #expect(places.allSatisfy { $0 >= 0 })
        #expect(places[0] == limit / 2)
    }

    /// The interception of several hosts has one root. Newer forged incidents have others, and do not displace it.
    @Test(arguments: StoreEngine.available)
    func hostsAreFoundByTheirRoot(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            let stranger = try CertificateFactory().authority("Stranger")
            func report(_ number: Int, _ host: String, at time: Int64, _ pem: [String]) throws -> IncomingReport {
                try sample.incoming(number, at: time, host: host) { $0["validated-certificate-chain"] = pem }
            }
            let own = [sample.leaf.certificatePEM, sample.root.certificatePEM]
            _ = try await store.add(
                [
                    report(1, "b.example", at: 0, own), report(2, "a.example", at: 0, [sample.leaf.certificatePEM]),
                    report(3, "old.example", at: -100_000, own),
                    report(4, "none.example", at: 0, []),
                ], limits: limits)
            _ = try await store.add(
                (0..<60).map {
                    try report(
                        10 + $0, "f\($0).example", at: 10, [sample.leaf.certificatePEM, stranger.certificatePEM])
                }, limits: limits)
            let root = try #require(
                try ReportReader.read(
                    Sample.bytes(sample.trustKit), limits: ReportCollectorLimits().report
                ).rootName)
            let since = Sample.time.advanced(bySeconds: -86_400)
            #expect(try await store.hosts(withRoot: root, since: since, limit: 10) == ["a.example", "b.example"])
            #expect(try await store.hosts(withRoot: root, since: since, limit: 1) == ["a.example"])
            #expect(try await store.hosts(withRoot: "CN=Nobody", since: since, limit: 10).isEmpty)
        }
    }
}
