import HoldfastNIO
import Metrics
import NIOCore

/// The metrics of all connection pools of one client together.
///
/// This is a class, so that each use retains one reference instead of one for every handle, which all threads share.
final class PoolMetrics: Sendable {
    /// The way in which a request's wait ended.
    enum WaitEnd: String, Hashable, Sendable, CaseIterable {
        /// The request received a connection.
        case served
        /// The request failed or was cancelled.
        case failed
    }

    /// The levels of a pool.
    struct Levels: Hashable, Sendable {
        var open = 0
        var idle = 0
        var waiting = 0
    }

    private let open: Meter
    private let idle: Meter
    private let waiting: Meter
    /// Connections that a request received at once: an idle one, or one with a free stream (HTTP/2).
    private let acquiredIdle: Counter
    /// Connections that a request received after waiting.
    private let acquiredQueued: Counter
    private let served: Metrics.Timer
    private let failed: Metrics.Timer

    /// Creates the metrics; `nil` for the no-op factory, so that nothing is measured.
    init?(_ factory: any MetricsFactory) {
        guard !(factory is NOOPMetricsHandler) else { return nil }
        func acquired(_ source: String) -> Counter {
            Counter(label: "holdfast.pool.acquired", dimensions: [("source", source)], factory: factory)
        }
        func waited(_ end: WaitEnd) -> Metrics.Timer {
            Metrics.Timer(
                label: "holdfast.pool.wait.duration", dimensions: [("outcome", end.rawValue)], factory: factory)
        }
        open = Meter(label: "holdfast.pool.open", factory: factory)
        idle = Meter(label: "holdfast.pool.idle", factory: factory)
        waiting = Meter(label: "holdfast.pool.waiting", factory: factory)
        acquiredIdle = acquired("idle")
        acquiredQueued = acquired("queue")
        served = waited(.served)
        failed = waited(.failed)
    }

    /// Records a change in the levels of one pool. Differences are recorded, so that they add up over pools and clients
    /// in any order.
    func changed(from old: Levels, to new: Levels) {
        guard old != new else { return }
        Self.move(open, by: new.open - old.open)
        Self.move(idle, by: new.idle - old.idle)
        Self.move(waiting, by: new.waiting - old.waiting)
    }

    /// Records a request that received a connection at once.
    func acquired() {
        acquiredIdle.increment()
    }

    /// Records a request that stopped waiting.
    func left(_ end: WaitEnd, after duration: TimeAmount) {
        switch end {
        case .served:
            acquiredQueued.increment()
            served.recordNanoseconds(duration.nanoseconds)
        case .failed:
            failed.recordNanoseconds(duration.nanoseconds)
        }
    }

    private static func move(_ meter: Meter, by difference: Int) {
        if difference > 0 { meter.increment(by: Double(difference)) }
        if difference < 0 { meter.decrement(by: Double(-difference)) }
    }
}
