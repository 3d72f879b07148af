import Dispatch

/// Lets a thread that may block wait for a task.
final class Flag: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func set() { semaphore.signal() }

    /// Blocks the thread until ``set()``.
    func wait() { semaphore.wait() }
}
