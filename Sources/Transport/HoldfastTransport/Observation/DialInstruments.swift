import HoldfastNIO
import Metrics
import NIOCore
import Tracing

/// The metrics and the tracer that observe the dials of one dialler.
struct DialInstruments: Sendable {
    let metrics: DialMetrics?
    /// The metrics for TLS handshakes with servers and with proxies.
    let serverTLS: TLSMetrics?
    let proxyTLS: TLSMetrics?
    let tracer: (any Tracer)?

    /// Uses the metrics and the tracer of the configuration, or the process-wide ones.
    init(_ configuration: TransportConfiguration) {
        let factory = configuration.metrics ?? MetricsSystem.factory
        metrics = DialMetrics(factory)
        serverTLS = TLSMetrics(factory)
        proxyTLS = TLSMetrics(factory, peer: .proxy)
        tracer = configuration.effectiveTracer
    }

    /// Starts observing a dial, with a span that is a child of the one in `context`. Returns `nil` without metrics and
    /// tracing.
    func begin(
        _ target: DialTarget, via proxy: ProxyServer.Kind?, context: ServiceContext?, at now: NIODeadline
    ) -> DialObservation? {
        guard metrics != nil || tracer != nil else { return nil }
        let dial = DialObservation(
            .dial, via: proxy?.rawValue ?? "direct", self, context: context ?? .topLevel, at: now)
        dial.describe(target)
        return dial
    }
}
