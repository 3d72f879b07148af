import HoldfastTrust

/// The failures that nobody has looked at yet, in memory, bounded. When it is full, a failure of a rule that has fewer of them takes
/// the place of the newest one of the rule that has most; what is dropped is counted.
struct ReportRing: Sendable {
    private let capacity: Int
    private var waiting: [PinFailureReport] = []
    /// How many of them each rule's host has.
    private var counts: [CanonicalHost: Int] = [:]
    private var lost = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Takes a failure if there is room, or a place that it may have.
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

    /// All that waits, oldest first, and how many were lost since the last time.
    mutating func take() -> (reports: [PinFailureReport], lost: Int) {
        defer {
            waiting = []
            counts = [:]
            lost = 0
        }
        return (waiting, lost)
    }
}
