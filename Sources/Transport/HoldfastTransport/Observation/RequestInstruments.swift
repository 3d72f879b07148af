import HTTPTypes
import Metrics
import NIOCore
import Tracing

/// What watches the requests of one client. There is none where neither metrics nor spans go anywhere.
final class RequestInstruments: Sendable {
    let metrics: RequestMetrics?
    private let tracer: (any Tracer)?
    /// Whether connections without TLS speak HTTP/2.
    private let assumesHTTP2: Bool

    /// Takes those of the configuration; the process-wide ones where it names none.
    init?(_ configuration: TransportConfiguration) {
        metrics = RequestMetrics(configuration.metrics ?? MetricsSystem.factory)
        tracer = configuration.effectiveTracer
        assumesHTTP2 = configuration.httpVersions.assumesHTTP2
        if metrics == nil, tracer == nil { return nil }
    }

    /// A request is about to be prepared.
    func begin(_ chain: RedirectChain, at now: NIODeadline) -> RequestObservation {
        RequestObservation(
            began: now, metrics: metrics, trace: tracer.map { RequestTrace($0, chain, assumesHTTP2: assumesHTTP2) })
    }
}

extension TransportConfiguration {
    /// The tracer; `nil` where spans would be thrown away.
    var effectiveTracer: (any Tracer)? {
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : tracer
    }
}
