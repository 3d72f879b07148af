import PinReportCollector
import Synchronization

/// Records a collector's events.
final class EventLog: Sendable {
    private struct State {
        var events: [ReportCollectorEvent] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<[ReportCollectorEvent], Never>)] = []
    }

    private let state = Mutex(State())

    func add(_ event: ReportCollectorEvent) {
        let served = state.withLock { state in
            state.events.append(event)
            let count = state.events.count
            let served = state.waiting.filter { $0.count <= count }
            state.waiting.removeAll { $0.count <= count }
            return (served, state.events)
        }
        for waiting in served.0 { waiting.continuation.resume(returning: served.1) }
    }

    /// Waits for a number of events.
    func events(_ count: Int) async -> [ReportCollectorEvent] {
        await withCheckedContinuation { continuation in
            let events: [ReportCollectorEvent]? = state.withLock { state in
                if state.events.count >= count { return state.events }
                state.waiting.append((count, continuation))
                return nil
            }
            if let events { continuation.resume(returning: events) }
        }
    }
}
