import Synchronization
import Testing

@testable import HoldfastTool

@Suite("Tool: chat, what was sent and what came")
struct ChatTallyTests {
    @Test func everyMessageIsOnTheWayUntilItsFateIsKnown() {
        let tally = ChatTally()
        tally.handedOver("a")
        tally.handedOver("b")
        tally.came("a", to: "sending")
        #expect(tally.unsettled == 2)
        tally.came("a", to: "read")
        tally.came("b", to: "failed")
        #expect(tally.unsettled == 0)
        #expect(tally.failed == 1)
        // One that is sent again is on the way again, and one that is forgotten did not fail.
        tally.handedOver("b")
        #expect((tally.unsettled, tally.failed) == (1, 0))
        tally.came("b", to: "failed")
        tally.forgot("b")
        #expect((tally.unsettled, tally.failed) == (0, 0))
        // What an earlier run sent is not this run's.
        tally.came("old", to: "failed")
        #expect(tally.failed == 0)
    }

    @Test func aReplyMayBeFasterThanTheReturnOfSend() {
        let tally = ChatTally()
        tally.came("a", to: "sent")
        tally.handedOver("a")
        #expect((tally.unsettled, tally.failed) == (0, 0))
        tally.came("b", to: "failed")
        tally.handedOver("b")
        #expect((tally.unsettled, tally.failed) == (0, 1))
        // One that failed in an earlier run is sent again.
        tally.came("c", to: "failed")
        tally.forgot("c")
        tally.handedOver("c")
        #expect((tally.unsettled, tally.failed) == (1, 1))
    }

    @Test func silenceIsSinceSomethingHappened() {
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
