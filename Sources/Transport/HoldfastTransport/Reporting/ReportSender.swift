import HoldfastBase
import HTTPTypes
import HoldfastTrust

/// Carries one report to its collector.
struct ReportSender: Sendable {
    let client: HTTPClient
    let timeout: Duration
    let clock: TrustClock
    /// Header fields, by address.
    let fields: [String: HTTPFields]

    /// How the attempt ended, and why where it did not succeed; `nil` if the task was cancelled.
    ///
    /// The status alone counts. Nothing of the answer's body is read, so there is nothing in it that could be too much or too slow;
    /// a redirect is an answer like others, and is not followed.
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
        // The one is what Holdfast's own collector knows a report by; the other is understood by gateways that know no reports.
        if let name = HTTPField.Name("Holdfast-Report-ID") { fields[name] = delivery.id }
        if let name = HTTPField.Name("Idempotency-Key") { fields[name] = "\"\(delivery.id)\"" }
        return url.request(.post, fields)
    }
}
