import Testing

@testable import ChatCenterCore

/// Tests the frames that wait for replies: the purpose of a reply, and which replies are overdue.
@Suite struct FrameLedgerTests {
    static let now = Moment(monotonic: 0, wall: 0)
    static let readingEnd = now.after(milliseconds: 20_000)
    let message = FrameLedger.Purpose.message(MessageID("m"))

    func at(_ milliseconds: Int64) -> Moment { Moment(monotonic: milliseconds * 1_000_000, wall: milliseconds) }

    func ledger(_ frames: (String, FrameLedger.Purpose)...) -> FrameLedger {
        var ledger = FrameLedger()
        for (id, purpose) in frames { ledger.sent(id, for: purpose, readingEnd: Self.readingEnd) }
        return ledger
    }

    @Test func aReplyIsUsedOnce() {
        var ledger = ledger(("1", .register), ("2", message))
        #expect(ledger.takeReply(to: nil, at: Self.now).purpose == nil)
        #expect(ledger.takeReply(to: "x", at: Self.now).purpose == nil)
        let reply = ledger.takeReply(to: "2", at: Self.now)
        #expect(reply.purpose == message)
        #expect(!reply.isSuperseded)
        #expect(ledger.takeReply(to: "2", at: Self.now).purpose == nil)
    }

    @Test func aLaterFrameSupersedesAnEarlierOne() {
        var ledger = ledger(("1", message), ("2", message))
        #expect(ledger.takeReply(to: "1", at: Self.now).isSuperseded)
        #expect(!ledger.takeReply(to: "2", at: Self.now).isSuperseded)
    }

    @Test func aReplyToALaterFrameMakesAnEarlierOneOverdue() {
        var ledger = ledger(("1", message), ("2", .courtesy))
        #expect(ledger.wake == nil)
        _ = ledger.takeReply(to: "2", at: Self.now)
        #expect(ledger.wake == FrameLedger.patience * 1_000_000)
        #expect(ledger.expire(at: at(FrameLedger.patience - 1)).isEmpty)
        #expect(ledger.expire(at: at(FrameLedger.patience)) == [MessageID("m")])
        #expect(ledger.expire(at: at(FrameLedger.patience)).isEmpty, "only once")
        #expect(ledger.takeReply(to: "1", at: Self.now).purpose == message, "a late reply still counts")
    }

    @Test func aPongMakesEarlierFramesOverdue() {
        var ledger = ledger(("1", message))
        ledger.pinged()
        ledger.sent("2", for: .message(MessageID("n")), readingEnd: Self.readingEnd)
        ledger.ponged(at: Self.now)
        #expect(ledger.expire(at: at(FrameLedger.patience)) == [MessageID("m")])
    }

    @Test func aResentMessageIsNotOverdue() {
        var ledger = ledger(("1", message), ("2", .courtesy))
        _ = ledger.takeReply(to: "2", at: Self.now)
        ledger.sent("3", for: message, readingEnd: Self.readingEnd)
        #expect(ledger.wake == nil)
        #expect(ledger.expire(at: at(1_000_000)).isEmpty)
    }

    @Test func readMarksAreNotAwaitedForever() {
        var ledger = ledger(("1", .reading([MessageID("r")])))
        #expect(ledger.awaitsReading)
        #expect(ledger.awaitsAcknowledgement)
        #expect(ledger.wake == Self.readingEnd.monotonic)
        #expect(ledger.expire(at: at(20_000)).isEmpty)
        #expect(ledger == FrameLedger())
    }

    @Test func onlySomeFramesNeedTheSocketInTheBackground() {
        #expect(!ledger(("1", .register), ("2", .introduce), ("3", .courtesy)).awaitsAcknowledgement)
        #expect(ledger(("1", .farewell)).awaitsAcknowledgement)
        #expect(ledger(("1", message)).awaitsAcknowledgement)
    }

    @Test func theNewestFrameOfAMessageIsFound() {
        var ledger = ledger(("1", message), ("2", message), ("3", .courtesy))
        #expect(ledger.newestFrame { $0 == MessageID("m") } == "2")
        #expect(ledger.newestFrame { _ in false } == nil)
        ledger.arrived(MessageID("m"))
        #expect(ledger.newestFrame { _ in true } == nil)
    }

    @Test func onlyTheFrameOfAMessageIsWithdrawn() {
        var ledger = ledger(("1", message), ("2", .farewell))
        #expect(ledger.takeBack("1") == MessageID("m"))
        #expect(ledger.takeBack("1") == nil)
        #expect(ledger.takeBack("2") == nil)
        #expect(ledger.takeBack(nil) == nil)
        #expect(ledger.takeReply(to: "2", at: Self.now).purpose == .farewell)
    }

    @Test func theOldestOptionalFrameIsDropped() {
        var ledger = ledger(("first", .courtesy))
        for number in 1..<FrameLedger.longestList {
            ledger.sent("\(number)", for: .register, readingEnd: Self.readingEnd)
        }
        ledger.sent("last", for: .courtesy, readingEnd: Self.readingEnd)
        #expect(ledger.takeReply(to: "first", at: Self.now).purpose == nil)
        #expect(ledger.takeReply(to: "last", at: Self.now).purpose == .courtesy)
        #expect(ledger.takeReply(to: "1", at: Self.now).purpose == .register)
    }
}
