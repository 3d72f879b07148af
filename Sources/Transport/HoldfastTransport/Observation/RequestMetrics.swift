import HoldfastNIO
import Metrics
import NIOCore

/// The metrics of requests: one measurement per request to a server, and thus one per step of a redirect.
///
/// This is a class, so that each use retains one reference instead of one for every handle, which all threads share.
final class RequestMetrics: Sendable {
    private let classes: [Metrics.Timer]
    private let failures: HandleTable<String, Metrics.Timer>
    /// Requests that were repeated on a new connection.
    let retries: Counter

    /// The labels of responses. Any other status class is `other`.
    static let statusClasses = ["2xx", "3xx", "4xx", "5xx", "other"]

    /// Creates the metrics; `nil` for the no-op factory, so that nothing is measured.
    init?(_ factory: any MetricsFactory) {
        guard !(factory is NOOPMetricsHandler) else { return nil }
        @Sendable func timer(_ outcome: String) -> Metrics.Timer {
            Metrics.Timer(label: "holdfast.request.duration", dimensions: [("outcome", outcome)], factory: factory)
        }
        classes = Self.statusClasses.map(timer)
        failures = HandleTable(timer)
        retries = Counter(label: "holdfast.request.retries", factory: factory)
    }

    /// Records a response.
    func answered(_ status: Int, after duration: TimeAmount) {
        let index = (200..<600).contains(status) ? status / 100 - 2 : classes.count - 1
        classes[index].recordNanoseconds(duration.nanoseconds)
    }

    /// Records a failure.
    func failed(_ error: any Error, after duration: TimeAmount) {
        failures[TransportError.label(of: error)].recordNanoseconds(duration.nanoseconds)
    }
}
