package import HoldfastTrust
import PinReportDesk
package import PinReports

/// A change of an incident that waits until the webhook has received it.
///
/// The store records the change in the transaction that makes it. It keeps at most one for each incident, the last one,
/// and removes it with the incident. Therefore ``ReportCollectorLimits/incidents`` also limits the notices.
package struct WebhookNotice: Hashable, Sendable {
    /// What happened to an incident.
    package enum Change: String, Hashable, Sendable {
        case began
        case cameBack

        /// Returns the change that a state stands for; `nil` if nobody is told about it.
        init?(_ state: IncidentState) {
            switch state {
            case .new: self = .began
            case .cameBack: self = .cameBack
            case .acknowledged, .resolved: return nil
            }
        }

        /// The state after the change, which the store records.
        var state: IncidentState { self == .began ? .new : .cameBack }
    }

    /// The end of a claim.
    package enum Settlement: Hashable, Sendable {
        /// The notice was delivered or given up.
        case ended
        /// The attempt failed. The next one is at this time.
        case retried(at: Timestamp)
        /// No attempt was made. Each collector can claim the notice at once.
        case released
    }

    /// The maximum number of notices that one call claims. Further ones are left for the next call.
    static let claimLimit = 8
    /// The time in seconds for which a claim excludes other collectors. A collector that ends meanwhile delays its
    /// notices by this time.
    static let lease: Int64 = 120
    /// The age in seconds at which a notice is removed without a delivery: one week.
    static let lifetime: Int64 = 7 * 86_400

    package var change: Change
    /// The incident at the time of the claim.
    package var incident: IncidentSummary
    /// The time of the change.
    package var time: Timestamp
    /// The number of failed attempts.
    package var failures: Int

    package init(_ change: Change, of incident: IncidentSummary, at time: Timestamp, failures: Int = 0) {
        self.change = change
        self.incident = incident
        self.time = time
        self.failures = failures
    }

    /// Identifies the message in each attempt of each collector: a receiver that gets a message twice keeps the first
    /// one.
    package var id: String { "\(incident.id)-\(change.rawValue)-\(time.secondsSince1970)" }

    /// The time after which a due time is wrong, because the clock was set back.
    static func latestDue(at now: Timestamp) -> Timestamp {
        now.advanced(bySeconds: WebhookRetry.longestRequestedWait + lease)
    }

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
