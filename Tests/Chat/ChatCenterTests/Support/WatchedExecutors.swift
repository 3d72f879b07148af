import ChatCenterCore
import Synchronization

@testable import ChatCenter

/// The executors of one chat. Counts their work, so that a test can wait until all of it is done.
final class WatchedExecutors: Sendable {
    final class Executor: ChatExecutor {
        let base: QueueExecutor
        let watch: WatchedExecutors

        init(_ label: String, _ watch: WatchedExecutors) {
            base = QueueExecutor(label)
            self.watch = watch
        }

        func run(_ work: @escaping @Sendable () -> Void) {
            base.run(work)
            // Counted when the work is in the queue: a test that waits in between would otherwise miss it.
            watch.count.add(1, ordering: .releasing)
        }

        func wait(for work: @escaping @Sendable () -> Void) { base.wait(for: work) }

        func enqueue(_ job: consuming ExecutorJob) { base.enqueue(job) }

        func asUnownedSerialExecutor() -> UnownedSerialExecutor { base.asUnownedSerialExecutor() }

        func checkIsolated() { base.checkIsolated() }
    }

    private let count = Atomic(0)
    /// Without the watch, which would keep itself otherwise.
    private let executors = Mutex<[QueueExecutor]>([])

    func make(_ label: String) -> any ChatExecutor {
        let executor = Executor(label, self)
        executors.withLock { $0.append(executor.base) }
        return executor
    }

    /// Waits until all executors are idle.
    func settle() {
        while true {
            // Work can create further executors.
            let executors = self.executors.withLock { $0 }
            let before = count.load(ordering: .acquiring)
            for executor in executors { executor.wait {} }
            if count.load(ordering: .acquiring) == before { return }
        }
    }
}

extension ChatEnvironment {
    /// Replaces the executors by ones that a test can wait for: see `tellDelegate()`.
    mutating func watchExecutors() {
        let watch = WatchedExecutors()
        makeExecutor = { watch.make($0) }
    }
}

extension ChatCenterUISDK {
    /// Waits until the chat is idle: the delegate has received all events, and the log is written.
    func tellDelegate() {
        (hub.executor as? WatchedExecutors.Executor)?.watch.settle()
        log.flush()
    }
}
