import HoldfastTransportTestSupport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

@Suite("Webhook messages of a store")
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
        try await RefusingPort.with { port in
            let sender = try sender(Int(port), counters)
            put(1, .cameBack, changedAt: 30)
            await sender.look()
            await sender.deliver()
            #expect(sender.waiting == 1)
            #expect(counters.counts.webhooksFailed == 0)
        }
    }

    /// The receiver is away while a flood of incidents begins. The messages that have no place wait for one.
    @Test func incidentsBeyondTheQueueWaitForRoom() async throws {
        let counters = CollectorCounters()
        let sender = try sender(try await CollectorUnderTest.with { $0.address.port }, counters)
        for id in 1...300 { put(Int64(id), .new) }
        await sender.look()
        #expect(sender.waiting == WebhookQueue.limit)
        #expect(sender.deferred == 300 - WebhookQueue.limit)
        await sender.look()
        #expect(sender.waiting == WebhookQueue.limit)
        #expect(counters.counts.webhooksDropped == 0)
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
