import Dispatch

/// Runs work serially, in the order in which it was added. Tests use their own executor.
package protocol ChatExecutor: SerialExecutor {
    /// Schedules work and returns immediately.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Runs work after all work that was added earlier, and returns when it is done. Must not be called on the same
    /// executor.
    func wait(for work: @escaping @Sendable () -> Void)
}

extension ChatExecutor {
    /// Runs work after all work that was added earlier, and returns its result.
    ///
    /// - Parameter fallback: The result if the work never runs.
    func value<Value: Sendable>(otherwise fallback: Value, of work: @escaping @Sendable () -> Value) -> Value {
        let answer = SharedValue(fallback)
        wait { answer.set(work()) }
        return answer.value
    }
}

/// A serial queue. Work runs on the queue's threads, never on the caller's: the caller may be a thread of Swift's
/// cooperative pool, which must not block on the disk.
package final class QueueExecutor: ChatExecutor {
    let queue: DispatchQueue

    package init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    package func wait(for work: @escaping @Sendable () -> Void) {
        // Waiting for a work item raises its priority to the caller's.
        let item = DispatchWorkItem(block: work)
        queue.async(execute: item)
        item.wait()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
