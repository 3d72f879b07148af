import HoldfastTrust
import PinReportDesk
import PinReports

/// Finds incidents that began or came back, from pages of the list. A value: it does not read the store.
struct IncidentWatch {
    /// What happened to an incident.
    enum Change: String, Hashable, Sendable {
        case began
        case cameBack
    }

    /// A change to tell about.
    struct Notice: Hashable, Sendable {
        var change: Change
        var incident: IncidentSummary
        /// The time of the change.
        var time: Timestamp

        /// Identifies the message, also among several collectors that share a database: a receiver that gets a
        /// message twice keeps the first one.
        var id: String { "\(incident.id)-\(change.rawValue)-\(time.secondsSince1970)" }

        /// The body of the message.
        var json: JSONNode.Value {
            .fields([
                ("version", .number("1")), ("change", .string(change.rawValue)),
                ("at", .text(time)), ("id", .number(String(incident.id))),
                ("app", .string(incident.key.app)), ("host", .string(incident.key.host)),
                ("result", incident.key.resultName.map { .string($0) } ?? .null),
                ("seenPin", incident.key.seenPin.map { .string($0) } ?? .null),
                ("state", .string(incident.state.rawValue)), ("firstSeen", .text(incident.firstSeen)),
                ("lastSeen", .text(incident.lastSeen)), ("reports", .number(String(incident.count))),
                ("clients", .number(String(incident.clients))), ("path", .string(DeskPaths.incident(incident.id))),
            ])
        }
    }

    /// What is known about an incident.
    private struct Known {
        var state: IncidentState
        var lastSeen: Timestamp
    }

    /// The smallest limit of remembered incidents.
    static let smallestLimit = 10_000

    /// Incidents that began before are not told about.
    private let start: Timestamp
    /// The maximum number of remembered incidents: twice those that a store can have. Those without a report for the
    /// longest time are forgotten first, because later looks do not read them.
    let limit: Int
    private var states: [Int64: Known] = [:]
    /// The newest report that was seen. Older pages contain nothing new.
    private(set) var newest: Timestamp
    /// The number of changes that wait for room.
    private(set) var deferred = 0

    /// Creates a watch that begins now, of a store with at most `incidents` incidents.
    init(start: Timestamp, incidents: Int = 0) {
        self.start = start
        newest = start
        limit = max(Self.smallestLimit, incidents.multipliedReportingOverflow(by: 2).partialValue)
    }

    /// Takes incidents in any order. Returns at most `room` changes: one half is of the incidents with the most
    /// reports, the other half of the earliest changes.
    ///
    /// Other changes are not lost: the watch does not remember them, and continues from their time, so that the next
    /// look finds them again. Forged incidents can therefore delay the notice of another incident, but not suppress it.
    ///
    /// - Parameter isComplete: Whether `incidents` has all incidents since ``newest``.
    mutating func observe(_ incidents: [IncidentSummary], room: Int = .max, isComplete: Bool = true) -> [Notice] {
        var notices: [Notice] = []
        var seen = newest
        for incident in incidents {
            seen = max(seen, incident.lastSeen)
            if let notice = notice(of: incident) { notices.append(notice) } else { remember(incident) }
        }
        let rest = Self.takeRest(of: &notices, beyond: max(0, room))
        deferred = rest.count
        for notice in notices { remember(notice.incident) }
        // Without all pages, the next look reads the same ones again.
        if isComplete { newest = rest.map(\.incident.lastSeen).min().map { min($0, seen) } ?? seen }
        if states.count > limit {
            let oldest = states.sorted { ($0.value.lastSeen, $0.key) < ($1.value.lastSeen, $1.key) }
            for (id, _) in oldest.prefix(states.count - limit) { states[id] = nil }
        }
        return notices
    }

    /// Reduces notices to a number, and returns the others.
    private static func takeRest(of notices: inout [Notice], beyond room: Int) -> [Notice] {
        guard notices.count > room else { return [] }
        // A real incident soon has more reports than forged ones. If it has not, all earlier ones are told about first.
        notices.sort { ($1.incident.count, $0.incident.id) < ($0.incident.count, $1.incident.id) }
        let large = notices.prefix(room - room / 2)
        let others = notices.dropFirst(large.count).sorted { ($0.time, $0.incident.id) < ($1.time, $1.incident.id) }
        notices = Array(large) + others.prefix(room / 2)
        return Array(others.dropFirst(room / 2))
    }

    private mutating func remember(_ incident: IncidentSummary) {
        states[incident.id] = Known(state: incident.state, lastSeen: incident.lastSeen)
    }

    private func notice(of incident: IncidentSummary) -> Notice? {
        let known = states[incident.id]?.state
        switch incident.state {
        case .new where known == nil && incident.firstSeen >= start:
            return Notice(change: .began, incident: incident, time: incident.firstSeen)
        // A state from before the start is not known. The report that changed it arrived later.
        case .cameBack where known != .cameBack && (known != nil || incident.lastSeen >= start):
            return Notice(change: .cameBack, incident: incident, time: incident.lastSeen)
        default: return nil
        }
    }
}
