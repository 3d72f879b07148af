#if canImport(FoundationNetworking)
import Foundation
import HoldfastTransportTestSupport
import Synchronization

/// Records events in order, and waits for an event.
final class EventLog: Sendable {
    private struct State {
        var events: [String] = []
        var waiters: [(prefix: String, trigger: Trigger)] = []
    }

    private let state = Mutex(State())

    func add(_ event: String) {
        let triggers = state.withLock { state in
            state.events.append(event)
            let met = state.waiters.filter { event.hasPrefix($0.prefix) }
            state.waiters.removeAll { event.hasPrefix($0.prefix) }
            return met.map(\.trigger)
        }
        for trigger in triggers { trigger.fire() }
    }

    /// Returns when an event with this prefix has occurred.
    func wait(for prefix: String) async {
        let trigger = Trigger()
        let isMet = state.withLock { state in
            if state.events.contains(where: { $0.hasPrefix(prefix) }) { return true }
            state.waiters.append((prefix, trigger))
            return false
        }
        if !isMet { await trigger.wait() }
    }

    var all: [String] { state.withLock { $0.events } }
}
#endif
