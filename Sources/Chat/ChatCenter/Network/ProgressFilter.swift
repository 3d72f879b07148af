import Synchronization

/// Lets a report of progress pass when it tells something new: a hundredth of the whole, at least 64 KiB, or the end.
final class ProgressFilter: Sendable {
    private let total: Int64?
    private let step: Int64
    private let last = Mutex<Int64>(0)
    private let deliver: @Sendable (Int64) -> Void

    init(total: Int64?, report: @escaping @Sendable (Int64) -> Void) {
        self.total = total
        self.step = max(64 * 1024, (total ?? 0) / 100)
        deliver = report
    }

    /// So many bytes have gone.
    func report(_ count: Int64) {
        let isNews = last.withLock { last in
            guard count > last, count - last >= step || count == total else { return false }
            last = count
            return true
        }
        if isNews { deliver(count) }
    }
}
