import HoldfastTrust
import PinReports

/// The installations that a batch adds to one count of a roll-out.
struct RolloutDelta: Hashable, Sendable {
    let mark: RolloutMark
    private(set) var clients: Set<[UInt8]>
    /// The arrival of the last report.
    private(set) var lastSeen: Timestamp

    private mutating func add(_ client: [UInt8], at time: Timestamp) {
        clients.insert(client)
        lastSeen = max(lastSeen, time)
    }

    /// Returns the changes by some reports, in a fixed order. All collectors change counts in this order, so that two
    /// of them cannot wait for each other.
    static func all(_ reports: some Sequence<IncomingReport>) -> [RolloutDelta] {
        var deltas: [RolloutMark: RolloutDelta] = [:]
        for report in reports {
            guard let client = report.facts.client else { continue }
            for mark in report.rolloutMarks {
                let fresh = RolloutDelta(mark: mark, clients: [], lastSeen: report.receivedAt)
                deltas[mark, default: fresh].add(client, at: report.receivedAt)
            }
        }
        return deltas.values.sorted { $0.mark.order < $1.mark.order }
    }
}

extension RolloutMark {
    /// The position in the order of changes.
    fileprivate var order: (String, Int64, Int64, Int) {
        (rollout.application, rollout.version, stage.secondsSince1970, isCohort ? 1 : 0)
    }
}
