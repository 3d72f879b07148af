import ChatCenterCore
import Testing

@testable import ChatCenter

@Suite struct SystemChatClockTests {
    /// Deadlines with the same tolerance coincide, none is early, and none is later than its tolerance. One that no
    /// clock reaches does not overflow.
    @Test(
        arguments: [
            (0, 0), (1, 1000), (999, 1000), (1000, 1000), (1001, 2000), (-1, -1), (.max, .max),
        ] as [(Int64, Int64)])
    func deadlinesWithAToleranceCoincide(after: Int64, expected: Int64) {
        #expect(SystemChatClock.deadline(after, 1000) == expected)
    }

    @Test func withoutAToleranceTheDeadlineIsExact() {
        #expect(SystemChatClock.deadline(1_234_567_891, 0) == 1_234_567_891)
    }

    /// The chats of a process have clocks of their own, with the same origin.
    @Test func allClocksShareTheirOrigin() {
        let (first, second) = (SystemChatClock(), SystemChatClock())
        let times = [first.now(), second.now(), first.now()].map(\.monotonic)
        #expect(times == times.sorted())
        #expect(times[2] - times[0] < 60_000_000_000)
    }

    @Test func theTimerFires() async {
        let clock = SystemChatClock()
        await withCheckedContinuation { continuation in
            clock.wake(at: clock.now().monotonic + 1, tolerance: 1_000_000) { continuation.resume() }
        }
    }
}
