import HoldfastNIO
import Metrics
import NIOCore

/// What is measured of the connection pools of one client, all together.
///
/// A class, so that a use takes one reference and not one to every handle: all threads share them.
final class PoolMetrics: Sendable {
    /// How a request's time in the queue ended.
    enum WaitEnd: String, Hashable, Sendable, CaseIterable {
        /// With a connection.
        case served
        /// With an error, or because it was given up.
        case failed
    }

    /// What the pools hold.
    struct Levels: Hashable, Sendable {
        var open = 0
        var idle = 0
        var waiting = 0
    }

    private let open: Meter
    private let idle: Meter
    private let waiting: Meter
    /// Connections that a request got at once: an idle one, or one with a place left (HTTP/2).
    private let acquiredIdle: Counter
    /// Connections that a request got after a time in the queue.
    private let acquiredQueued: Counter
    private let served: Metrics.Timer
    private let failed: Metrics.Timer

    /// `nil` for a factory that throws everything away: then nothing is measured.
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

    /// The levels of one pool have changed. By differences: they add up over pools and clients, in whatever order they come.
    func changed(from old: Levels, to new: Levels) {
        guard old != new else { return }
        Self.move(open, by: new.open - old.open)
        Self.move(idle, by: new.idle - old.idle)
        Self.move(waiting, by: new.waiting - old.waiting)
    }

    /// A request got a connection at once.
    func acquired() {
        acquiredIdle.increment()
    }

    /// A request has left the queue.
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
