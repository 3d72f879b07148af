import Synchronization

/// The scripted refusals of a collector. It is safe to use from any thread.
final class Statuses: Sendable {
    private let waiting = Mutex<[Int]>([])

    /// Adds statuses to the end of the script.
    func append(_ statuses: [Int]) {
        waiting.withLock { $0 += statuses }
    }

    /// Removes and returns the next status; `nil` if there is none.
    func next() -> Int? {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
