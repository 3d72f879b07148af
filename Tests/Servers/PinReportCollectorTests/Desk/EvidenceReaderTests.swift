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
        // The roots of other incidents are remembered: the incident, its report and the list are read again.
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

@Suite("Webhook deliveries")
struct WebhookSenderTests {
    private let store = MemoryReportStore()

    private func put(_ id: Int64, _ state: IncidentState, changedAt: Int64? = nil) {
        let summary = IncidentSummary(
            id: id, key: IncidentKey(app: "com.example.shop", host: "example.com", result: 1), state: state,
            firstSeen: Sample.time, lastSeen: Sample.time.advanced(bySeconds: 60), count: 3, clients: 2, isExact: true)
        let history = changedAt.map {
            [StateChange(state: .cameBack, at: Sample.time.advanced(bySeconds: $0), by: "")]
        }
        store.put(IncidentDetail(summary: summary, history: history ?? []))
    }

    private func sender(_ port: Int, _ counters: CollectorCounters = CollectorCounters()) throws -> WebhookSender {
        var configuration = ReportCollectorConfiguration()
        configuration.clock = .fixed(Sample.time)
        configuration.uptime = { 0 }
        configuration.entropy = { 0 }
        let webhook = try ReportWebhook(url: "http://127.0.0.1:\(port)/reports", secret: "0123456789abcdef")
        return WebhookSender(webhook, store: store, configuration: configuration, counters: counters)
    }

    @Test func aMessageIsCountedByItsResult() async throws {
        // Another collector is the receiver: it refuses the message, because it is not a report.
        try await CollectorUnderTest.with { receiver in
            let counters = CollectorCounters()
            let sender = try self.sender(receiver.address.port, counters)
            self.put(1, .new)
            await sender.look()
            #expect(sender.waiting == 1)
            await sender.look()
            #expect(sender.waiting == 1)
            await sender.deliver()
            #expect(sender.waiting == 0)
            #expect(counters.counts.webhooksFailed == 1)
            #expect(counters.counts.webhooksSent == 0)
        }
    }

    @Test func aReceiverThatIsAwayGetsTheMessageLater() async throws {
        let counters = CollectorCounters()
        let listener = try await CollectorUnderTest.with { $0.address.port }
        let sender = try sender(listener, counters)
        put(1, .cameBack, changedAt: 30)
        await sender.look()
        await sender.deliver()
        #expect(sender.waiting == 1)
        #expect(counters.counts.webhooksFailed == 0)
    }

    @Test func aStoreThatCannotBeReadIsLookedAtAgain() async throws {
        let sender = try sender(9)
        put(1, .new)
        store.fail(ReportCollectorError(.unreadableDatabase, "The disk is gone."))
        await sender.look()
        #expect(sender.waiting == 0)
        store.fail(nil)
        await sender.look()
        #expect(sender.waiting == 1)
    }
}
