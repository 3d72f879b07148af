import HoldfastNIO
import HoldfastTrust
import Metrics

/// An event of a report. Each is counted as `event` of the metric `holdfast.reports`.
public enum ReportEvent: String, Hashable, Sendable, CaseIterable {
    /// A failure was dropped, because too many were waiting to be processed.
    case overflow
    /// The same failure was already reported within the window.
    case duplicate
    /// The limit of reports per hour was reached.
    case rateLimited
    /// The failure was not selected by sampling.
    case sampledOut
    /// A report address in the policy uses neither https nor this machine.
    case badDestination
    /// The report is too large, even without its certificates.
    case tooLarge
    /// The limit for reports on disk, or for their bytes, was reached.
    case full
    /// The report could not be written to disk.
    case notKept
    /// The report is stored on disk and survives the end of the process.
    case kept
    /// The collector accepted the report.
    case sent
    /// The collector could not be reached or was not ready, or the report could not be read from disk. It will be tried
    /// again.
    case postponed
    /// The collector refused the report (a status from 300 to 499 other than 408 and 429).
    case refused
    /// The report was tried too often, or is too old.
    case expired
    /// The file of a report was unreadable or invalid, and was removed.
    case corrupt

    /// Whether the event means that a report was lost.
    public var isLoss: Bool {
        switch self {
        case .overflow, .badDestination, .tooLarge, .full, .notKept, .refused, .expired, .corrupt: true
        case .duplicate, .rateLimited, .sampledOut, .kept, .sent, .postponed: false
        }
    }
}

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
