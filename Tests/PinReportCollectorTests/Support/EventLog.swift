import PinReportCollector
import Synchronization

/// What a collector told about its reports.
final class EventLog: Sendable {
    private let log = Mutex<[ReportCollectorEvent]>([])

    var events: [ReportCollectorEvent] { log.withLock { $0 } }

    func add(_ event: ReportCollectorEvent) {
        log.withLock { $0.append(event) }
    }
}
