import ChatCenterCore
import Testing

@testable import ChatCenter

@Suite struct SystemChatClockTests {
    /// Deadlines with the same tolerance coincide, none is early, and none is later than its tolerance.
    @Test func deadlinesWithAToleranceCoincide() {
        let origin = ContinuousClock.now
        let tolerance: Int64 = 1_000_000_000
        for (after, expected) in [(0, 0), (1, 1000), (999, 1000), (1000, 1000), (1001, 2000)] {
            let deadline = origin.advanced(by: .milliseconds(after))
            let wake = SystemChatClock.deadline(deadline, tolerance, since: origin)
            #expect(wake - origin == .milliseconds(expected))
        }
        let nanosecond = SystemChatClock.deadline(origin.advanced(by: .nanoseconds(1)), tolerance, since: origin)
        #expect(nanosecond - origin == .seconds(1))
    }

    @Test func withoutAToleranceTheDeadlineIsExact() {
        let origin = ContinuousClock.now
        let deadline = origin.advanced(by: .nanoseconds(1_234_567_891))
        #expect(SystemChatClock.deadline(deadline, 0, since: origin) == deadline)
    }

    /// A deadline that no clock reaches does not overflow.
    @Test func anAbsurdDeadlineIsKept() {
        let origin = ContinuousClock.now
        let deadline = origin.advanced(by: .seconds(Int64.max / 2))
        #expect(SystemChatClock.deadline(deadline, 1_000_000_000, since: origin) == deadline)
    }

    @Test func theTimerFires() async {
        let clock = SystemChatClock()
        await withCheckedContinuation { continuation in
            clock.wake(at: clock.now().monotonic + 1, tolerance: 1_000_000) { continuation.resume() }
        }
    }
}
