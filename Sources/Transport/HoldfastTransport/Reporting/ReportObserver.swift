import HoldfastNIO
import HoldfastTrust
import Metrics

/// Reports events to the metrics, the log and the app.
struct ReportObserver: Sendable {
    private let counters: HandleTable<ReportEvent, Counter>?
    private let waiting: Meter?
    private let log: TransportLog?
    private let tell: (@Sendable (ReportEvent) -> Void)?

    init(metrics: any MetricsFactory, log: TransportLog?, tell: (@Sendable (ReportEvent) -> Void)?) {
        let isSilent = metrics is NOOPMetricsHandler
        counters =
            isSilent
            ? nil
            : HandleTable { event in
                Counter(label: "holdfast.reports", dimensions: [("event", event.rawValue)], factory: metrics)
            }
        waiting = isSilent ? nil : Meter(label: "holdfast.reports.waiting", factory: metrics)
        self.log = log
        self.tell = tell
    }

    /// Records an event of `count` reports. `host` is the collector's host, if it was involved.
    func happened(_ event: ReportEvent, count: Int = 1, host: String? = nil, reason: String = "") {
        guard count > 0 else { return }
        counters?[event].increment(by: Int64(count))
        let about = host.map { "\($0): \(reason)" } ?? reason
        if event.isLoss {
            log?.write(.reportDropped, ["event": event.rawValue, "reason": about])
        } else if event == .postponed {
            log?.write(.reportPostponed, ["reason": about])
        } else if event == .sent {
            log?.write(.reportSent, ["host": host ?? ""])
        }
        tell?(event)
    }

    /// Records that the reporter's state could not be written.
    func notRemembered(_ reason: String) {
        log?.write(.reportsNotRemembered, ["reason": reason])
    }

    /// Records a change in the number of reports on disk.
    func moved(by difference: Int) {
        if difference > 0 { waiting?.increment(by: Double(difference)) }
        if difference < 0 { waiting?.decrement(by: Double(-difference)) }
    }
}
