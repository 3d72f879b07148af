import HTTPTypes
import HoldfastTestKit
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

@testable import PinReportCollector

/// Deliveries of the webhook to a receiver with TLS.
@Suite("Webhook deliveries", .timeLimit(.minutes(1)))
struct WebhookDeliveryTests {
    /// The attack: a server that the system does not trust poses as the receiver.
    @Test func onlyATrustedReceiverIsTold() async throws {
        let sample = try Sample.shared.get()
        let site = try PinnedSite()
        try await LoopbackServer.with(site) { server async throws in
            let webhook = try ReportWebhook(url: "https://localhost:\(server.port)/", secret: "0123456789abcdef")
            var configuration = ReportCollectorConfiguration()
            let clock = ManualTrustClock(Sample.time)
            configuration.clock = clock.clock
            let counters = CollectorCounters()
            let store = try SQLiteReportStore(path: nil)
            _ = try await store.add([sample.incoming(1, at: 1)], limits: configuration.limits)

            let unaware = WebhookSender(webhook, store: store, configuration: configuration, counters: counters)
            await unaware.deliver()
            let notices = try await store.totals(at: Sample.time).notices
            #expect(notices == 1)
            #expect(server.requests.isEmpty)

            let aware = WebhookSender(
                webhook, store: store, configuration: configuration, counters: counters,
                transport: TransportConfiguration(trust: site.unpinnedTrust))
            clock.advance(bySeconds: 60)
            await aware.deliver()
            let rest = try await store.totals(at: Sample.time).notices
            #expect(rest == 0)
            let request = try await server.nextRequest()
            let name = try #require(HTTPField.Name("Holdfast-Webhook-Signature"))
            #expect(request.fields[name] == webhook.signature(of: request.body, at: clock.now))
            #expect(request.text.contains(Sample.host))
            #expect(counters.counts.webhooksSent == 1)
            await store.close()
        }
    }
}
