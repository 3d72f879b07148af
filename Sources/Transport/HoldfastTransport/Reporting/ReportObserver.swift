import HoldfastNIO
import HoldfastTrust
import Metrics

/// Tells what becomes of reports: to the metrics, the log and the app.
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

    /// Something happened to a report, or to `count` of them. `host` is the collector's, where one had a part in it.
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

    /// What is remembered about reports could not be written.
    func notRemembered(_ reason: String) {
        log?.write(.reportsNotRemembered, ["reason": reason])
    }

    /// The number of reports on the disk has changed.
    func moved(by difference: Int) {
        if difference > 0 { waiting?.increment(by: Double(difference)) }
        if difference < 0 { waiting?.decrement(by: Double(-difference)) }
    }
}
