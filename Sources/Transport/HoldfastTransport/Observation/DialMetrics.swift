import HoldfastNIO
import Metrics
import NIOCore

/// The metrics of dials and of the resulting connections.
struct DialMetrics: Sendable {
    private struct DialKey: Hashable {
        var via: String
        var outcome: String
    }

    private let connections: Meter
    private let cut: Counter
    private let dials: HandleTable<DialKey, Metrics.Timer>
    private let connects: HandleTable<String, Metrics.Timer>
    private let proxies: HandleTable<DialKey, Metrics.Timer>

    /// Creates the metrics; `nil` for the no-op factory, so that nothing is measured.
    init?(_ factory: any MetricsFactory) {
        guard !(factory is NOOPMetricsHandler) else { return nil }
        connections = Meter(label: "holdfast.connections", factory: factory)
        cut = Counter(label: "holdfast.connections.cut", factory: factory)
        dials = HandleTable { key in
            Metrics.Timer(
                label: "holdfast.dial.duration", dimensions: [("via", key.via), ("outcome", key.outcome)],
                factory: factory)
        }
        connects = HandleTable { outcome in
            Metrics.Timer(label: "holdfast.connect.duration", dimensions: [("outcome", outcome)], factory: factory)
        }
        proxies = HandleTable { key in
            Metrics.Timer(
                label: "holdfast.proxy.duration", dimensions: [("via", key.via), ("outcome", key.outcome)],
                factory: factory)
        }
    }

    /// Records a new connection.
    func opened() { connections.increment() }

    /// Records a closed connection.
    func closed() { connections.decrement() }

    /// Records a connection that was closed because a changed policy refuses its server.
    func refused() { cut.increment() }

    /// Records the end of a dial, or of one of its phases.
    func ended(_ phase: DialPhase, via: String, _ error: (any Error)?, after duration: TimeAmount) {
        let outcome = error.map(TransportError.label) ?? "ok"
        switch phase {
        case .dial:
            dials[DialKey(via: via, outcome: outcome)].recordNanoseconds(duration.nanoseconds)
        case .connect:
            connects[outcome].recordNanoseconds(duration.nanoseconds)
        case .proxy:
            let failure = (error as? TransportError)?.proxy?.code.label ?? "other"
            proxies[DialKey(via: via, outcome: error == nil ? "ok" : failure)].recordNanoseconds(duration.nanoseconds)
        case .tls, .verify:
            // The TLS handler measures these phases.
            break
        }
    }
}
