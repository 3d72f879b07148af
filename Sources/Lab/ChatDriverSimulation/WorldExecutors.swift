import ChatCenter
import Synchronization

/// The executors of one process. Their work waits in queues until the world's thread runs it, so no other thread is
/// involved and the same numbers give the same order.
final class WorldExecutors: Sendable {
    typealias Work = @Sendable () -> Void

    /// One of the executors. Runs its work in the order of submission.
    final class Executor: ChatExecutor {
        private let queue: Int
        private let all: WorldExecutors

        init(_ queue: Int, of all: WorldExecutors) {
            self.queue = queue
            self.all = all
        }

        func run(_ work: @escaping Work) {
            all.add(work, to: queue)
        }

        func wait(for work: @escaping Work) {
            all.finish(work, in: queue)
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            run { [unowned self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
        }

        func checkIsolated() {
            precondition(all.isRunning(queue))  // reason: the driver's own code is called on the wrong executor
        }
    }

    private struct State {
        var queues: [[Work]] = []
        /// The executors whose work is running. Running work may wait for another executor.
        var running: [Int] = []
        var isClosed = false
        var choices: UInt64 = 0

        /// Removes and returns the next work of an executor that is not running.
        mutating func next(in queue: Int) -> Work? {
            guard !running.contains(queue), !queues[queue].isEmpty else { return nil }
            running.append(queue)
            return queues[queue].removeFirst()
        }
    }

    private let state = Mutex(State())
    /// Returns the number that selects the executor whose work runs next.
    private let choose: @Sendable (UInt64) -> UInt64

    init(choosingBy choose: @escaping @Sendable (UInt64) -> UInt64) {
        self.choose = choose
    }

    /// Creates an executor.
    func make() -> any ChatExecutor {
        let queue = state.withLock { state in
            state.queues.append([])
            return state.queues.count - 1
        }
        return Executor(queue, of: self)
    }

    /// Runs all work until `isOver` returns `true`.
    func drain(until isOver: () -> Bool) {
        while !isOver(), let (queue, work) = takeNext() {
            work()
            ended(queue)
        }
    }

    /// Drops all work and accepts no more.
    func close() {
        let dropped = state.withLock { state in
            state.isClosed = true
            defer { state.queues = state.queues.map { _ in [] } }
            return state.queues
        }
        // The work is released after the lock, because its destructors may use the lock.
        _ = consume dropped
    }

    private func add(_ work: @escaping Work, to queue: Int) {
        state.withLock { state in
            if !state.isClosed { state.queues[queue].append(work) }
        }
    }

    /// Runs all work of an executor up to this one.
    private func finish(_ work: @escaping Work, in queue: Int) {
        let end = EndOfWork()
        add(
            {
                work()
                end.isReached.store(true, ordering: .relaxed)
            }, to: queue)
        while !end.isReached.load(ordering: .relaxed), let work = state.withLock({ $0.next(in: queue) }) {
            work()
            ended(queue)
        }
    }

    private func takeNext() -> (queue: Int, work: Work)? {
        let waiting = state.withLock { state in
            state.queues.indices.filter { !state.queues[$0].isEmpty && !state.running.contains($0) }
        }
        guard !waiting.isEmpty else { return nil }
        let number = state.withLock { state in
            state.choices += 1
            return state.choices
        }
        let queue = waiting[waiting.count == 1 ? 0 : Int(choose(number) % UInt64(waiting.count))]
        return state.withLock { $0.next(in: queue) }.map { (queue, $0) }
    }

    private func ended(_ queue: Int) {
        state.withLock { $0.running.removeAll { $0 == queue } }
    }

    private func isRunning(_ queue: Int) -> Bool {
        state.withLock { $0.running.contains(queue) }
    }
}

/// Whether the awaited work is done.
private final class EndOfWork: Sendable {
    let isReached = Atomic(false)
}
