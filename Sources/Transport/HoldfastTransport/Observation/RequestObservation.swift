import HTTPTypes
import HoldfastNIO
import Metrics
import NIOCore
import Tracing

/// The observation of one request to one server, by metrics and spans.
struct RequestObservation: Sendable {
    let began: NIODeadline
    let metrics: RequestMetrics?
    let trace: RequestTrace?

    /// Records the head of the response.
    func responded(_ response: HTTPResponse, _ facts: ConnectionFacts) {
        trace?.responded(response, facts)
    }

    /// Records the end of the response.
    func ended(_ response: HTTPResponse, at now: NIODeadline) {
        metrics?.answered(response.status.code, after: now - began)
        trace?.ended()
    }

    /// Records a failure of the client or the server.
    func failed(_ error: any Error, at now: NIODeadline) {
        metrics?.failed(error, after: now - began)
        trace?.failed(error)
    }
}

/// The metrics and the tracer that observe the requests of one client. Exists only if at least one of them is in use.
final class RequestInstruments: Sendable {
    let metrics: RequestMetrics?
    private let tracer: (any Tracer)?
    /// Whether connections without TLS use HTTP/2.
    private let assumesHTTP2: Bool

    /// Uses the metrics and the tracer of the configuration, or the process-wide ones. `nil` without both.
    init?(_ configuration: TransportConfiguration) {
        metrics = RequestMetrics(configuration.metrics ?? MetricsSystem.factory)
        tracer = configuration.effectiveTracer
        assumesHTTP2 = configuration.httpVersions.assumesHTTP2
        if metrics == nil, tracer == nil { return nil }
    }

    /// Starts observing a request, before it is prepared.
    func begin(_ chain: RedirectChain, at now: NIODeadline) -> RequestObservation {
        RequestObservation(
            began: now, metrics: metrics, trace: tracer.map { RequestTrace($0, chain, assumesHTTP2: assumesHTTP2) })
    }
}

extension TransportConfiguration {
    /// The tracer; `nil` if it is a no-op.
    var effectiveTracer: (any Tracer)? {
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : tracer
    }
}

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
