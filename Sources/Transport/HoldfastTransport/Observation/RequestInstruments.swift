import HTTPTypes
import Metrics
import NIOCore
import Tracing

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
