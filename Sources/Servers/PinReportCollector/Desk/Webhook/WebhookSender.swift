import HTTPTypes
import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import PinReports

/// Tells the webhook about incidents that began or came back. Delivers each message at least once, unless all attempts
/// fail.
///
/// The messages wait in the store, so that a restart loses none. Collectors that share a database claim messages for a
/// limited time and deliver each of them once, unless a collector ends between an attempt and its record.
final class WebhookSender: Sendable {
    /// The time between two looks at the store.
    private static let lookInterval = Duration.seconds(2)
    /// The limits on an attempt. All attempts of a claim fit its lease.
    private static let attemptSeconds: Int64 = 10
    private static let responseBytes = 4 * 1024
    /// The maximum number of claims between two pauses.
    private static let claimsPerLook = 64

    private let webhook: ReportWebhook
    private let store: any ReportStore
    private let configuration: ReportCollectorConfiguration
    private let counters: CollectorCounters
    private let client: HTTPClient

    init(
        _ webhook: ReportWebhook, store: any ReportStore, configuration: ReportCollectorConfiguration,
        counters: CollectorCounters, transport: TransportConfiguration = TransportConfiguration()
    ) {
        self.webhook = webhook
        self.store = store
        self.configuration = configuration
        self.counters = counters
        var transport = transport
        // The address names this machine if it is not secure.
        transport.dangerouslyAllowsCleartext = !webhook.url.scheme.isSecure
        client = HTTPClient(configuration: transport)
    }

    /// Delivers messages until the task is cancelled.
    func run() async {
        var hasBegun = false
        while !Task.isCancelled {
            // Without the beginning, all incidents of a database without a webhook would be told about.
            if !hasBegun { hasBegun = await begin() }
            if hasBegun { await deliver() }
            try? await Task.sleep(for: Self.lookInterval)  // reason: other collectors do not tell about changes
        }
    }

    /// Records in the store that a webhook exists from now on. Returns `false` if the store cannot be written.
    func begin() async -> Bool {
        (try? await store.beginNotices(at: configuration.clock.now())) != nil
    }

    /// Makes one attempt for each message that is due. If the store fails, a later call makes it.
    func deliver() async {
        for _ in 0..<Self.claimsPerLook {
            let start = configuration.clock.now()
            guard !Task.isCancelled, let claimed = try? await store.claimNotices(at: start), !claimed.isEmpty else {
                return
            }
            let end = start.advanced(bySeconds: WebhookNotice.lease - Self.attemptSeconds)
            for notice in claimed {
                // After the lease, another collector may deliver the rest.
                guard configuration.clock.now() <= end else { return }
                if Task.isCancelled { await settle(notice, .released) } else { await deliver(notice) }
            }
        }
    }

    private func deliver(_ notice: WebhookNotice) async {
        let attempt = await send(notice)
        if case .failed = attempt, Task.isCancelled {
            // The collector ends. The attempt does not count, and the next process makes it at once.
            await settle(notice, .released)
            return
        }
        let outcome = WebhookRetry.outcome(
            of: attempt, failures: notice.failures, at: configuration.clock.now(), entropy: configuration.entropy())
        counters.countWebhook { counts in
            switch outcome {
            case .sent: counts.webhooksSent += 1
            case .givenUp: counts.webhooksFailed += 1
            case .retried: break
            }
        }
        await settle(notice, outcome.settlement)
    }

    /// Ends a claim, also when the task is cancelled: a delivery without a record is repeated. If the store fails, the
    /// message is sent again after the lease.
    private func settle(_ notice: WebhookNotice, _ settlement: WebhookNotice.Settlement) async {
        await Task { try? await store.settle(notice, settlement) }.value  // reason: must not be cancelled with this one
    }

    private func send(_ notice: WebhookNotice) async -> WebhookRetry.Attempt {
        let (time, body) = (configuration.clock.now(), Array(JSONWriter.line(notice.json).utf8))
        var fields: HTTPFields = [.contentType: "application/json", .userAgent: "holdfast"]
        for (name, value) in [
            ("Holdfast-Webhook-ID", notice.id), ("Holdfast-Webhook-Timestamp", String(time.secondsSince1970)),
            ("Holdfast-Webhook-Signature", webhook.signature(of: body, at: time)),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let limit = Duration.seconds(Self.attemptSeconds)
        let options = RequestOptions(idleTimeout: limit, totalTimeout: limit)
        let response: CollectedResponse
        do {
            response = try await client.collect(
                webhook.url.request(.post, fields), body: .bytes(body), upTo: Self.responseBytes,
                options: options)
        } catch {
            // A response that is too long was received: the status is not known, so the message is sent again.
            return .failed(retryAfter: nil)
        }
        let wait = RetryAfter(response.response.headerFields[.retryAfter])?.seconds(from: time.secondsSince1970)
        switch response.response.status.code {
        case 200..<300: return .delivered
        case 408, 409, 425, 429, 500...: return .failed(retryAfter: wait)
        default: return .refused
        }
    }
}
