import HoldfastTestSupport
import HoldfastTrust
import PinReportDesk
import PinReports
import Testing

@testable import PinReportCollector

@Suite("Evidence from the store")
struct EvidenceReaderTests {
    private let sample: Sample
    private let store = MemoryReportStore()

    init() throws {
        sample = try Sample.shared.get()
    }

    private func reader(_ roots: [Identity] = []) -> EvidenceReader {
        EvidenceReader(
            store: store, catalog: PolicyCatalog(),
            authorities: PublicAuthorities(roots.map { DecodedCertificate($0.view) }), limits: PinReportLimits(),
            clock: .fixed(Sample.time))
    }

    private func put(_ id: Int64, host: String = Sample.host, samples: [Int64], lastSeen: Int64 = 0) {
        let key = IncidentKey(app: "com.example.shop", host: host, result: 1)
        let summary = IncidentSummary(
            id: id, key: key, state: .new, firstSeen: Sample.time,
            lastSeen: Sample.time.advanced(bySeconds: lastSeen), count: 1, clients: 1, isExact: true)
        store.put(
            IncidentDetail(summary: summary, samples: samples, knownPins: ["sha256/known"]))
    }

    @Test func theNewestReportWithCertificatesIsShown() async throws {
        put(1, samples: [9, 8, 7])
        store.put(report: 9, body: nil, receivedAt: Sample.time)
        store.put(report: 8, body: try sample.numbered(1), receivedAt: Sample.time)
        let view = try #require(await reader([sample.root]).view(of: 1))
        #expect(view.sample == 8)
        #expect(view.port == 443)
        #expect(view.evidence.chain.readable.count == 2)
        #expect(view.evidence.expectedPins.count == 2)
        #expect(view.evidence.pinsEnd == Timestamp(iso8601: "2032-01-02"))
        #expect(view.diagnoses.map(\.kind) == [.rotationToUnknownKey])
        #expect((try? view.draft.get()) != nil)
    }

    @Test func withoutReportsThePinsOfTheIncidentCount() async throws {
        put(1, samples: [])
        let view = try #require(await reader().view(of: 1))
        #expect(view.sample == nil)
        #expect(view.evidence.expectedPins == ["sha256/known"])
        #expect(view.diagnoses.map(\.kind) == [.unknown])
    }

    @Test func otherHostsWithTheSameForeignRootAreFound() async throws {
        for (id, host) in [(1, Sample.host), (2, "b.example.com"), (3, "a.example.com"), (4, Sample.host)] {
            put(Int64(id), host: host, samples: [Int64(id)])
            store.put(report: Int64(id), body: try sample.numbered(id, host: host), receivedAt: Sample.time)
        }
        // Too old to belong to the same cause.
        put(5, host: "old.example.com", samples: [5], lastSeen: -86_401)
        store.put(report: 5, body: try sample.numbered(5), receivedAt: Sample.time)
        let stranger = try CertificateFactory().authority("Another Root")
        let reader = reader([stranger])
        let view = try #require(await reader.view(of: 1))
        #expect(view.evidence.hostsWithSameRoot == ["a.example.com", "b.example.com"])
        #expect(view.diagnoses.map(\.kind) == [.interception])
        // The incident, its report and the hosts are read, however many other incidents there are.
        let before = store.reads
        _ = try await reader.view(of: 1)
        #expect(store.reads == before + 3)
    }

    @Test func hostsOfAPublicAuthorityAreNotCompared() async throws {
        for (id, host) in [(1, Sample.host), (2, "b.example.com"), (3, "a.example.com")] {
            put(Int64(id), host: host, samples: [Int64(id)])
            store.put(report: Int64(id), body: try sample.numbered(id, host: host), receivedAt: Sample.time)
        }
        let view = try #require(await reader([sample.root]).view(of: 1))
        #expect(view.evidence.hostsWithSameRoot.isEmpty)
    }

    @Test func aMissingIncidentAndAFailedStoreDiffer() async throws {
        #expect(try await reader().view(of: 1) == nil)
        store.fail(ReportCollectorError(.unreadableDatabase, "The disk is gone."))
        await #expect(throws: ReportCollectorError.self) { try await reader().view(of: 1) }
    }
}
