import HoldfastTrust

/// The failures that nobody has looked at yet, in memory, bounded. What comes when it is full is counted, and not taken.
struct ReportRing: Sendable {
    private let capacity: Int
    private var waiting: [PinFailureReport] = []
    private var lost = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Takes a failure if there is room.
    mutating func put(_ report: PinFailureReport) {
        if waiting.count < capacity { waiting.append(report) } else { lost = min(lost + 1, .max - 1) }
    }

    /// All that waits, oldest first, and how many were lost since the last time.
    mutating func take() -> (reports: [PinFailureReport], lost: Int) {
        defer {
            waiting = []
            lost = 0
        }
        return (waiting, lost)
    }
}
