import Dispatch
import Synchronization

/// Runs work one piece after the other, in the order in which it was handed over. Tests hand in one of their own.
package protocol ChatExecutor: SerialExecutor {
    /// Runs work later, and returns at once.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Runs work behind all that was handed over before, and returns when it is done. Work of an executor does not wait for
    /// the same executor.
    func wait(for work: @escaping @Sendable () -> Void)
}

extension ChatExecutor {
    /// Runs work behind all that was handed over before, and returns its result.
    ///
    /// - Parameter fallback: The result if the work never runs.
    func value<Value: Sendable>(otherwise fallback: Value, of work: @escaping @Sendable () -> Value) -> Value {
        let answer = Answer(fallback)
        wait { answer.set(work()) }
        return answer.value
    }
}

/// A value that one thread sets and another one reads afterwards.
final class Answer<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) {
        stored = Mutex(value)
    }

    var value: Value { stored.withLock { $0 } }

    func set(_ value: Value) {
        stored.withLock { $0 = value }
    }
}

/// A serial queue. Work runs on its threads, never on that of the caller: who waits may be one of the two threads that all
/// tasks of a process share, and then the disk is not theirs to wait for.
package final class QueueExecutor: ChatExecutor {
    let queue: DispatchQueue

    package init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    package func wait(for work: @escaping @Sendable () -> Void) {
        // Waiting for an item lends it the priority of the caller.
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
