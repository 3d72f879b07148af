import HoldfastNIO
import Metrics
import NIOCore
import Tracing

/// What watches the dials of one dialler.
struct DialInstruments: Sendable {
    let metrics: DialMetrics?
    /// For the handshakes with servers, and with proxies.
    let serverTLS: TLSMetrics?
    let proxyTLS: TLSMetrics?
    let tracer: (any Tracer)?

    /// Takes those of the configuration; the process-wide ones where it names none.
    init(_ configuration: TransportConfiguration) {
        let factory = configuration.metrics ?? MetricsSystem.factory
        metrics = DialMetrics(factory)
        serverTLS = TLSMetrics(factory)
        proxyTLS = TLSMetrics(factory, peer: .proxy)
        tracer = configuration.effectiveTracer
    }

    /// A dial begins: its span is a child of the one in `context`. `nil` where nobody watches.
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
