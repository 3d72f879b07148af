import HTTPTypes
import HoldfastTestKit
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// Messages of a store, delivered to a receiver on this machine, with each engine.
@Suite("Webhook messages of a store", .timeLimit(.minutes(2)))
struct WebhookSenderTests {
    private let sample: Sample
    private let clock = ManualTrustClock(Sample.time)

    init() throws { sample = try Sample.shared.get() }

    private func sender(
        _ store: any ReportStore, to port: UInt16, _ counters: CollectorCounters = CollectorCounters()
    ) throws -> WebhookSender {
        var configuration = ReportCollectorConfiguration()
        configuration.clock = clock.clock
        configuration.entropy = { 0 }
        let webhook = try ReportWebhook(url: "http://127.0.0.1:\(port)/", secret: "0123456789abcdef")
        return WebhookSender(webhook, store: store, configuration: configuration, counters: counters)
    }

    /// Runs `body` with a receiver.
    private func withReceiver(
        _ answers: LoopbackAnswer..., body: (LoopbackServer) async throws -> Void
    ) async throws {
        let receiver = try await LoopbackServer.start(host: "127.0.0.1", nil)
        for answer in answers { receiver.enqueue(answer) }
        do {
            try await body(receiver)
        } catch {
            await receiver.stop()
            throw error
        }
        await receiver.stop()
    }

    private func ids(_ requests: [LoopbackRequest]) throws -> [String] {
        let name = try #require(HTTPField.Name("Holdfast-Webhook-ID"))
        return try requests.map { try #require($0.fields[name]) }
    }

    private func addIncidents(_ count: Int, to store: any ReportStore) async throws {
        let batch = try (0..<count).map { try sample.incoming($0, host: "h\($0).example") }
        _ = try await store.add(batch, limits: ReportCollectorLimits())
    }

    @Test(arguments: StoreEngine.available)
    func everyAttemptHasTheSameName(_ engine: StoreEngine) async throws {
        let counters = CollectorCounters()
        try await engine.with { store async throws in
            try await withReceiver(LoopbackAnswer(status: 500), LoopbackAnswer(status: 429)) { receiver in
                let sender = try sender(store, to: receiver.port, counters)
                #expect(await sender.begin())
                try await addIncidents(1, to: store)
                await sender.deliver()
                #expect(receiver.requests.count == 1)
                // Nothing is due before the back-off ends.
                await sender.deliver()
                #expect(receiver.requests.count == 1)
                for _ in 0..<2 {
                    clock.advance(bySeconds: 1)
                    await sender.deliver()
                }
                clock.advance(bySeconds: 3_600)
                await sender.deliver()
                let ids = try ids(receiver.requests)
                #expect(ids.count == 3 && Set(ids).count == 1)
                #expect(receiver.requests.allSatisfy { $0.text.contains("\"host\":\"h0.example\"") })
            }
            #expect(try await store.totals(at: Sample.time).notices == 0)
        }
        #expect(counters.counts.webhooksSent == 1)
        #expect(counters.counts.webhooksFailed == 0)
    }

    @Test(arguments: StoreEngine.available)
    func aRefusedMessageIsGivenUp(_ engine: StoreEngine) async throws {
        let counters = CollectorCounters()
        try await engine.with { store async throws in
            try await withReceiver(LoopbackAnswer(status: 400)) { receiver in
                try await addIncidents(1, to: store)
                let sender = try sender(store, to: receiver.port, counters)
                await sender.deliver()
                await sender.deliver()
                #expect(receiver.requests.count == 1)
            }
            #expect(try await store.totals(at: Sample.time).notices == 0)
        }
        #expect(counters.counts.webhooksFailed == 1)
        #expect(counters.counts.webhooksSent == 0)
    }

    /// The receiver is away, and the collector is killed. Its successor delivers the messages.
    @Test(arguments: StoreEngine.available)
    func aRestartLosesNoMessage(_ engine: StoreEngine) async throws {
        let database = try await StoreDatabase(engine)
        let killed = try await database.open()
        try await RefusingPort.with { port in
            let sender = try sender(killed, to: port)
            #expect(await sender.begin())
            try await addIncidents(3, to: killed)
            await sender.deliver()
        }
        // One more message is claimed when the process ends.
        _ = try await killed.add(sample.incoming(9, host: "late.example"))
        let claimed = try await killed.claimNotices(at: clock.now)
        #expect(claimed.map(\.incident.key.host) == ["late.example"])
        let store = try await database.afterKill().open()
        try await withReceiver { receiver in
            let sender = try sender(store, to: receiver.port)
            #expect(await sender.begin())
            clock.advance(bySeconds: 2)
            await sender.deliver()
            #expect(receiver.requests.count == 3)
            clock.advance(bySeconds: WebhookNotice.lease)
            await sender.deliver()
            let ids = try ids(receiver.requests)
            #expect(ids.count == 4 && Set(ids).count == 4)
            #expect(ids.last == claimed.first?.id)
        }
        await store.close()
        await killed.close()
    }

    /// Two collectors share a database. Each message is delivered by one of them.
    @Test(arguments: StoreEngine.available)
    func twoCollectorsDeliverEachMessageOnce(_ engine: StoreEngine) async throws {
        let database = try await StoreDatabase(engine)
        let first = try await database.open()
        let second = engine == .postgreSQL ? try await database.open() : first
        try await addIncidents(40, to: first)
        try await withReceiver { receiver in
            let senders = [try sender(first, to: receiver.port), try sender(second, to: receiver.port)]
            // A collector that finds its choice locked waits for its next look.
            for _ in 0..<20 where receiver.requests.count < 40 {
                await withTaskGroup(of: Void.self) { group in
                    for sender in senders { group.addTask { await sender.deliver() } }
                }
            }
            let ids = try ids(receiver.requests)
            #expect(ids.count == 40)
            #expect(Set(ids).count == 40)
        }
        await first.close()
        if engine == .postgreSQL { await second.close() }
    }

    /// The collector ends during an attempt. The attempt does not count, and no other process waits for the lease.
    @Test(arguments: StoreEngine.available)
    func aStopReleasesTheMessages(_ engine: StoreEngine) async throws {
        try await engine.with { store async throws in
            try await addIncidents(3, to: store)
            try await withReceiver(.silence) { receiver in
                let sender = try sender(store, to: receiver.port)
                let task = Task { await sender.deliver() }
                _ = try await receiver.nextRequest()
                task.cancel()
                await task.value
            }
            let claimed = try await store.claimNotices(at: Sample.time)
            #expect(claimed.map(\.failures) == [0, 0, 0])
        }
    }

    /// The whole collector: the receiver fails until the collector is stopped, and the next one delivers the message.
    @Test(arguments: StoreEngine.available)
    func theNextCollectorDelivers(_ engine: StoreEngine) async throws {
        let database = try await StoreDatabase(engine)
        let body = try Sample.bytes(sample.trustKit)
        try await withReceiver(LoopbackAnswer(status: 503)) { receiver in
            let webhook = try ReportWebhook(url: "http://127.0.0.1:\(receiver.port)/", secret: "0123456789abcdef")
            try await CollectorUnderTest.with {
                database.use(in: &$0)
                $0.desk.webhook = webhook
            } _: { test async throws in
                _ = try await test.post(body)
                _ = try await receiver.firstRequests(1)
            }
            try await CollectorUnderTest.with {
                database.use(in: &$0)
                $0.desk.webhook = webhook
                $0.clock = .fixed(Sample.time.advanced(bySeconds: 3_600))
            } _: { test async throws in
                let ids = try ids(try await receiver.firstRequests(2))
                #expect(Set(ids).count == 1)
                // A collector that ends before it has the answer releases the message.
                let delivered = #"holdfast_webhook_deliveries_total{outcome="sent"} 1"#
                while try await !test.text("/metrics").contains(delivered) {}
            }
        }
        let store = try await database.open()
        #expect(try await store.claimNotices(at: Sample.time.advanced(bySeconds: 86_400)).isEmpty)
        await store.close()
    }

    @Test func aStoreThatFailsIsAskedAgain() async throws {
        let store = MemoryReportStore()
        let incident = IncidentSummary(
            id: 1, key: IncidentKey(app: "com.example.shop", host: "example.com", result: 1), state: .new,
            firstSeen: Sample.time, lastSeen: Sample.time, count: 3, clients: 2, isExact: true)
        store.put(WebhookNotice(.began, of: incident, at: Sample.time))
        try await withReceiver { receiver in
            let sender = try sender(store, to: receiver.port)
            store.fail(ReportCollectorError(.unreadableDatabase, "The disk is gone."))
            #expect(await !sender.begin())
            await sender.deliver()
            #expect(receiver.requests.isEmpty)
            store.fail(nil)
            #expect(await sender.begin())
            await sender.deliver()
            #expect(receiver.requests.count == 1)
        }
    }
}
