import HoldfastBase
import HTTPTypes
import HoldfastTrust

/// Sends one report to its collector.
struct ReportSender: Sendable {
    let client: HTTPClient
    let timeout: Duration
    let clock: TrustClock
    /// The header fields by address.
    let fields: [String: HTTPFields]

    /// Sends a report. Returns the outcome and the reason of a failure, or `nil` if the task was cancelled.
    ///
    /// Only the status counts. The body is not read, so it can be neither too large nor too slow. Redirects are not
    /// followed and count as any other status.
    func send(_ delivery: ReportDelivery) async -> (ReportQueue.Outcome, String)? {
        let options = RequestOptions(idleTimeout: timeout, totalTimeout: timeout)
        do {
            let request = try request(delivery)
            let (status, retryAfter) = try await client.execute(
                request, body: .bytes(Array(delivery.body.utf8)), options: options
            ) { response, _ in
                (response.status.code, response.headerFields[.retryAfter])
            }
            switch status {
            case 200..<300: return (.sent, "")
            case 408, 429, 500...:
                return (.failed(retryAfter: RetryAfter.seconds(retryAfter, now: clock.now())), "status \(status)")
            default: return (.refused, "status \(status)")
            }
        } catch {
            if Task.isCancelled { return nil }
            return (.unreachable, TransportError.label(of: error))
        }
    }

    private func request(_ delivery: ReportDelivery) throws(TransportError) -> HTTPRequest {
        let url = try RequestURL(delivery.url)
        var fields = fields[delivery.url] ?? [:]
        fields[.contentType] = "application/json"
        // Holdfast's own collector uses the first field; gateways without knowledge of reports understand the second.
        if let name = HTTPField.Name("Holdfast-Report-ID") { fields[name] = delivery.id }
        if let name = HTTPField.Name("Idempotency-Key") { fields[name] = "\"\(delivery.id)\"" }
        return url.request(.post, fields)
    }
}
