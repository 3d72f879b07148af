import HoldfastTrust

/// The unprocessed failures in memory, limited in number.
///
/// When full, a failure of a rule with fewer failures replaces the newest failure of the rule with the most. Dropped
/// failures are counted.
struct ReportRing: Sendable {
    private let capacity: Int
    private var waiting: [PinFailureReport] = []
    /// The number of waiting failures for each rule's host.
    private var counts: [CanonicalHost: Int] = [:]
    private var lost = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Adds a failure if there is room, or if it may replace another.
    mutating func put(_ report: PinFailureReport) {
        let host = report.pinning.notedHost
        if waiting.count >= capacity {
            lost = min(lost + 1, .max - 1)
            guard let most = counts.values.max(), most > counts[host, default: 0] + 1,
                let index = waiting.lastIndex(where: { counts[$0.pinning.notedHost] == most })
            else { return }
            counts[waiting.remove(at: index).pinning.notedHost] = most - 1
        }
        waiting.append(report)
        counts[host, default: 0] += 1
    }

    /// Returns and removes all waiting failures, oldest first, and the number lost since the last call.
    mutating func take() -> (reports: [PinFailureReport], lost: Int) {
        defer {
            waiting = []
            counts = [:]
            lost = 0
        }
        return (waiting, lost)
    }
}
