import HTTPTypes
import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import PinReports
import Synchronization

/// Tells the webhook about incidents that began or came back. Delivers each message at least once, unless all attempts
/// fail or the collector ends.
final class WebhookSender: Sendable {
    /// The time between two looks at the store.
    private static let lookInterval = Duration.seconds(2)
    /// The limits on an attempt.
    private static let attemptTime = Duration.seconds(10)
    private static let responseBytes = 4 * 1024
    /// Seconds by which the clocks of collectors that share a database may differ.
    private static let overlap: Int64 = 60

    private let webhook: ReportWebhook
    private let store: any ReportStore
    private let configuration: ReportCollectorConfiguration
    private let counters: CollectorCounters
    private let client: HTTPClient
    private let queue = Mutex(WebhookQueue())
    private let seen: Mutex<IncidentWatch>

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
        seen = Mutex(
            IncidentWatch(start: configuration.clock.now(), incidents: configuration.limits.incidents))
    }

    /// The number of messages that wait.
    var waiting: Int { queue.withLock { $0.count } }

    /// The number of changes that wait until the queue has room.
    var deferred: Int { seen.withLock { $0.deferred } }

    /// The maximum number of pages of one look: enough for all incidents. Without a flood, a look needs one page.
    private var pageLimit: Int { configuration.limits.incidents / IncidentQuery.limits.upperBound + 2 }

    /// Looks for changes and delivers messages until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await look()
            await deliver()
            try? await Task.sleep(for: Self.lookInterval)  // reason: other collectors do not tell about changes
        }
    }

    /// Looks for changes once. A store that cannot be read is looked at again later.
    func look() async {
        let since = seen.withLock { $0.newest }.advanced(bySeconds: -Self.overlap)
        var query = IncidentQuery(since: since, limit: IncidentQuery.limits.upperBound)
        var incidents: [IncidentSummary] = []
        var isComplete = false
        for _ in 0..<pageLimit {
            guard let page = try? await store.incidents(query) else { break }
            incidents += page.incidents
            query.before = page.next
            isComplete = page.next == nil
            guard !isComplete else { break }
        }
        let room = WebhookQueue.limit - waiting
        let notices = seen.withLock { [isComplete] in $0.observe(incidents, room: room, isComplete: isComplete) }
        let now = configuration.uptime()
        for var notice in notices {
            if notice.change == .cameBack, let detail = try? await store.incident(notice.incident.id) {
                // The same for each collector, unlike the time of the newest report.
                notice.time = detail.history.last { $0.state == .cameBack }?.at ?? notice.time
            }
            let message = WebhookQueue.Message(id: notice.id, body: Array(JSONWriter.line(notice.json).utf8))
            if !queue.withLock({ $0.add(message, at: now) }) { counters.countWebhook { $0.webhooksDropped += 1 } }
        }
    }

    /// Makes one attempt for each message that is due.
    func deliver() async {
        for _ in 0..<WebhookQueue.limit {
            let start = configuration.uptime()
            guard !Task.isCancelled, let message = queue.withLock({ $0.due(at: start) }) else { return }
            let attempt = await send(message)
            let (now, entropy) = (configuration.uptime(), configuration.entropy())
            let outcome = queue.withLock { $0.attempted(message.id, attempt, at: now, entropy: entropy) }
            counters.countWebhook { counts in
                switch outcome {
                case .sent: counts.webhooksSent += 1
                case .givenUp: counts.webhooksFailed += 1
                case .retried: break
                }
            }
        }
    }

    private func send(_ message: WebhookQueue.Message) async -> WebhookQueue.Attempt {
        let time = configuration.clock.now()
        var fields: HTTPFields = [.contentType: "application/json", .userAgent: "holdfast"]
        for (name, value) in [
            ("Holdfast-Webhook-ID", message.id), ("Holdfast-Webhook-Timestamp", String(time.secondsSince1970)),
            ("Holdfast-Webhook-Signature", webhook.signature(of: message.body, at: time)),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let options = RequestOptions(idleTimeout: Self.attemptTime, totalTimeout: Self.attemptTime)
        let response: CollectedResponse
        do {
            response = try await client.collect(
                webhook.url.request(.post, fields), body: .bytes(message.body), upTo: Self.responseBytes,
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
