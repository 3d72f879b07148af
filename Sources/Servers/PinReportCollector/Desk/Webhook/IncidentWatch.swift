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

    /// The maximum number of remembered incidents. The numbers grow, so that the smallest ones are forgotten first.
    static let limit = 10_000

    /// Incidents that began before are not told about.
    private let start: Timestamp
    private var states: [Int64: IncidentState] = [:]
    /// The newest report that was seen. Older pages contain nothing new.
    private(set) var newest: Timestamp

    /// Creates a watch that begins now.
    init(start: Timestamp) {
        self.start = start
        newest = start
    }

    /// Takes incidents in any order. Returns the changes.
    mutating func observe(_ incidents: [IncidentSummary]) -> [Notice] {
        var notices: [Notice] = []
        for incident in incidents {
            newest = max(newest, incident.lastSeen)
            let known = states.updateValue(incident.state, forKey: incident.id)
            switch incident.state {
            case .new where known == nil && incident.firstSeen >= start:
                notices.append(Notice(change: .began, incident: incident, time: incident.firstSeen))
            // A state from before the start is not known. The report that changed it arrived later.
            case .cameBack where known != .cameBack && (known != nil || incident.lastSeen >= start):
                notices.append(Notice(change: .cameBack, incident: incident, time: incident.lastSeen))
            default: break
            }
        }
        if states.count > Self.limit {
            for id in states.keys.sorted().prefix(states.count - Self.limit) { states[id] = nil }
        }
        return notices
    }
}
