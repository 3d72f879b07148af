import HoldfastNIO
import Metrics
import NIOCore

/// What is measured of requests: one measurement for each that goes to a server, so one for each step of a redirect.
///
/// A class, so that a use takes one reference and not one to every handle: all threads share them.
final class RequestMetrics: Sendable {
    private let classes: [Metrics.Timer]
    private let failures: HandleTable<String, Metrics.Timer>
    /// Requests that were sent again on a fresh connection.
    let retries: Counter

    /// The labels of responses. A status that begins with none of these digits is `other`.
    static let statusClasses = ["2xx", "3xx", "4xx", "5xx", "other"]

    /// `nil` for a factory that throws everything away: then nothing is measured.
    init?(_ factory: any MetricsFactory) {
        guard !(factory is NOOPMetricsHandler) else { return nil }
        @Sendable func timer(_ outcome: String) -> Metrics.Timer {
            Metrics.Timer(label: "holdfast.request.duration", dimensions: [("outcome", outcome)], factory: factory)
        }
        classes = Self.statusClasses.map(timer)
        failures = HandleTable(timer)
        retries = Counter(label: "holdfast.request.retries", factory: factory)
    }

    /// A request has been answered.
    func answered(_ status: Int, after duration: TimeAmount) {
        let index = (200..<600).contains(status) ? status / 100 - 2 : classes.count - 1
        classes[index].recordNanoseconds(duration.nanoseconds)
    }

    /// A request has failed.
    func failed(_ error: any Error, after duration: TimeAmount) {
        failures[TransportError.label(of: error)].recordNanoseconds(duration.nanoseconds)
    }
}
