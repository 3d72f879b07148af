#if HOLDFAST_SANITIZE_THREAD
import Foundation
import Synchronization
import Testing
import ThreadSanitizerRuntime

/// Checks what the thread sanitizer reports for a `Mutex` and for a continuation. A process exits with 66 if the
/// sanitizer has reported a race.
@Suite struct ThreadSanitizerTests {
    private final class Guarded: Sendable {
        let values = Mutex([0])
    }

    private final class Unguarded: @unchecked Sendable {  // reason: the race is what the sanitizer must report
        var value = 0
        let isDone = Atomic(false)
    }

    private final class Returned: Sendable {
        let value = 5
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    @Test func aThreadThatWaitsForAMutexIsNoRace() async {
        await #expect(processExitsWith: .success) {
            let guarded = Guarded()
            guarded.values.withLock { values in
                Thread.detachNewThread { guarded.values.withLock { $0.append(2) } }
                values.append(1)
                while thread_sanitizer_mutex_waits() == 0 { sched_yield() }
            }
            while guarded.values.withLock({ $0.count }) < 3 { sched_yield() }
            #expect(guarded.values.withLock { $0 } == [0, 1, 2])
        }
    }

    @Test func aValueWithoutAMutexIsARace() async {
        // What the process writes is observed to keep its report out of the log.
        await #expect(processExitsWith: .exitCode(66), observing: [\.standardErrorContent]) {
            let unguarded = Unguarded()
            Thread.detachNewThread {
                unguarded.value += 1
                unguarded.isDone.store(true, ordering: .relaxed)
            }
            while !unguarded.isDone.load(ordering: .relaxed) { sched_yield() }
            #expect(unguarded.value == 1)
        }
    }

    @Test func aContinuationThatIsResumedBeforeItsTaskWaitsIsNoRace() async {
        await #expect(processExitsWith: .success) {
            #expect(await Self.resumeUnsafeContinuation() == 5)
        }
    }

    @Test func aCheckedContinuationThatIsResumedBeforeItsTaskWaitsIsNoRace() async {
        await #expect(processExitsWith: .success) {
            #expect(await Self.resumeCheckedContinuation() == 5)
        }
    }

    /// Reads the value in the same function, because a change of the executor would report the order, too.
    @concurrent private static func resumeUnsafeContinuation() async -> Int {
        let returned: Returned = await withUnsafeContinuation { continuation in
            Self.runOnAnotherThread { continuation.resume(returning: Returned()) }
        }
        return returned.value
    }

    @concurrent private static func resumeCheckedContinuation() async -> Int {
        let returned: Returned = await withCheckedContinuation { continuation in
            Self.runOnAnotherThread { continuation.resume(returning: Returned()) }
        }
        return returned.value
    }

    /// Returns when the thread has run `body`. The relaxed flag does not order the threads for the sanitizer.
    private static func runOnAnotherThread(_ body: @escaping @Sendable () -> Void) {
        let flag = Flag()
        Thread.detachNewThread {
            body()
            flag.isSet.store(true, ordering: .relaxed)
        }
        while !flag.isSet.load(ordering: .relaxed) { sched_yield() }
    }
}
#endif
