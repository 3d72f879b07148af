import Synchronization
import Testing

@testable import HoldfastTool

@Suite("Tool: chat, message counts")
struct ChatTallyTests {
    @Test func messageIsUnsettledUntilSentOrFailed() {
        let tally = ChatTally()
        tally.handedOver("a")
        tally.handedOver("b")
        tally.came("a", to: "sending")
        #expect(tally.unsettled == 2)
        tally.came("a", to: "read")
        tally.came("b", to: "failed")
        #expect(tally.unsettled == 0)
        #expect(tally.failed == 1)
        // A message that is sent again is pending again, and a deleted one did not fail.
        tally.handedOver("b")
        #expect((tally.unsettled, tally.failed) == (1, 0))
        tally.came("b", to: "failed")
        tally.forgot("b")
        #expect((tally.unsettled, tally.failed) == (0, 0))
        // Messages of an earlier run do not count.
        tally.came("old", to: "failed")
        #expect(tally.failed == 0)
    }

    @Test func acknowledgementMayPrecedeReturnOfSend() {
        let tally = ChatTally()
        tally.came("a", to: "sent")
        tally.handedOver("a")
        #expect((tally.unsettled, tally.failed) == (0, 0))
        tally.came("b", to: "failed")
        tally.handedOver("b")
        #expect((tally.unsettled, tally.failed) == (0, 1))
        // A message that failed in an earlier run is sent again.
        tally.came("c", to: "failed")
        tally.forgot("c")
        tally.handedOver("c")
        #expect((tally.unsettled, tally.failed) == (1, 1))
    }

    @Test func silenceIsTimeSinceLastEvent() {
        let start = ContinuousClock.now
        let time = Mutex(start)
        let tally = ChatTally(now: { time.withLock { $0 } })
        time.withLock { $0 = start + .seconds(5) }
        #expect(tally.silence == .seconds(5))
        #expect(tally.message() == 1)
        #expect(tally.silence == .zero)
        time.withLock { $0 = start + .seconds(7) }
        #expect(tally.silence == .seconds(2))
        tally.touch()
        #expect(tally.silence == .zero)
        #expect(tally.received == 1)
    }
}
