import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the outbox: the order of messages, messages without a reply, and failures.
@Suite struct OutboxMachineTests {
    static let now = Moment(monotonic: 0, wall: 1_000_000)
    static let sendTimeout: Int64 = 20_000
    static let maximumAge: Int64 = 3_600_000
    let a = MessageID("a")
    let b = MessageID("b")

    func at(_ milliseconds: Int64) -> Moment {
        Moment(monotonic: milliseconds * 1_000_000, wall: Self.now.wall + milliseconds)
    }

    /// A conversation with one outbox that the test controls.
    struct Bench {
        var outbox: OutboxMachine
        var window = MessageWindow()

        init(_ mode: SendTimeoutMode = .deadline) {
            outbox = OutboxMachine(
                ChatSettings(
                    providerUID: "p", sendTimeout: OutboxMachineTests.sendTimeout, sendTimeoutMode: mode,
                    queuedMaximumAge: OutboxMachineTests.maximumAge))
        }

        mutating func add(_ id: MessageID, notBefore: Deadline? = nil, at now: Moment = OutboxMachineTests.now) {
            _ = outbox.add(
                Content(.message, uuid: id.text, text: "Hi"), id, notBefore: notBefore, &window, at: now, ServerClock())
        }

        /// Returns the messages that are sent.
        mutating func drain(uploading: Set<MessageID> = [], at now: Moment = OutboxMachineTests.now) -> [MessageID] {
            outbox.drain(&window, uploading: uploading, at: now).compactMap {
                if case .sendMessage(let message) = $0 { message.id } else { nil }
            }
        }

        mutating func expire(at now: Moment) -> [CoreAction] { outbox.expire(&window, at: now) }

        mutating func confirm(_ id: MessageID) -> [CoreAction] {
            outbox.confirmed(id, SendReceipt(messageID: "s-\(id.text)", sentAt: nil), &window)
        }

        func delivery(_ id: MessageID) -> Delivery? { window[id]?.delivery }
    }

    static func failure(_ delivery: Delivery?) -> SendFailure? {
        if case .failed(let failure, _) = delivery { failure } else { nil }
    }

    static func losses(_ delivery: Delivery?) -> Int? { delivery?.entry?.losses }

    @Test func oneMessageIsSentAtATime() {
        var bench = Bench()
        #expect(bench.drain().isEmpty)
        bench.add(a)
        bench.add(b)
        #expect(bench.drain() == [a])
        #expect(bench.outbox.isOutcomeUnknown(bench.window))
        #expect(bench.drain().isEmpty, "the outcome of the first message is unknown")
        let actions = bench.confirm(a)
        #expect(actions.first == .arrived(a))
        #expect(actions.last == .tell(a, .sent))
        #expect(bench.confirm(a) == [.arrived(a)], "nothing changed")
        #expect(bench.drain() == [b])
    }

    @Test func aDelayedOrUploadingMessageDelaysNoOther() {
        var bench = Bench()
        bench.add(a, notBefore: Self.now.after(milliseconds: 1000))
        bench.add(b)
        #expect(bench.drain(uploading: [b]).isEmpty)
        #expect(bench.drain() == [b])
        _ = bench.confirm(b)
        #expect(bench.outbox.wake(bench.window) == 1_000_000_000)
        #expect(bench.expire(at: at(1000)).isEmpty)
        #expect(bench.drain(at: at(1000)) == [a])
    }

    @Test func aMessageFailsAtItsDeadline() {
        var bench = Bench()
        bench.add(a)
        _ = bench.drain()
        #expect(bench.outbox.wake(bench.window) == Self.sendTimeout * 1_000_000)
        let actions = bench.expire(at: at(Self.sendTimeout))
        #expect(actions.contains(.lookUp), "it may have arrived")
        #expect(Self.failure(bench.delivery(a)) == .timedOut)
        #expect(bench.outbox.wake(bench.window) == nil)
        #expect(bench.expire(at: at(Self.sendTimeout)).isEmpty)
    }

    @Test func anUnsentMessageExpires() {
        var bench = Bench()
        bench.add(a)
        let actions = bench.expire(at: at(Self.maximumAge))
        #expect(!actions.contains(.lookUp))
        #expect(Self.failure(bench.delivery(a)) == .expired)
    }

    @Test func aLostSocketMakesTheOutcomeUnknownUntilTheHistoryIsLoaded() {
        var bench = Bench()
        bench.add(a)
        _ = bench.drain()
        #expect(bench.outbox.socketIsGone(&bench.window).last == .lookUp)
        #expect(bench.outbox.hasUnconfirmed(bench.window))
        #expect(bench.outbox.socketIsGone(&bench.window).isEmpty)
        #expect(bench.drain().isEmpty)
        _ = bench.outbox.resolveUnconfirmed(mostLosses: 1, &bench.window, at: at(1))
        #expect(Self.losses(bench.delivery(a)) == 1)
        #expect(bench.drain() == [a], "sent again with the deadline of the first attempt")
        #expect(bench.outbox.wake(bench.window) == Self.sendTimeout * 1_000_000)
        _ = bench.outbox.socketIsGone(&bench.window)
        _ = bench.outbox.resolveUnconfirmed(mostLosses: 1, &bench.window, at: at(2))
        #expect(Self.failure(bench.delivery(a)) == .lost(tries: 2))
    }

    @Test func anOverdueReplyIsLookedUpIfUseful() {
        var bench = Bench()
        bench.add(a)
        _ = bench.drain()
        #expect(bench.outbox.overdue([a], mostLosses: 0, &bench.window).isEmpty, "no attempt is left")
        #expect(bench.outbox.overdue([b], mostLosses: 5, &bench.window).isEmpty)
        #expect(bench.outbox.overdue([a], mostLosses: 5, &bench.window).last == .lookUp)
        #expect(bench.outbox.hasUnconfirmed(bench.window))
        #expect(bench.outbox.overdue([a], mostLosses: 5, &bench.window).isEmpty)
    }

    @Test func aRefusedMessageFailsAndARefusedTokenDoesNotFailIt() {
        var bench = Bench()
        bench.add(a)
        _ = bench.drain()
        #expect(!bench.outbox.returned(a, &bench.window).isEmpty)
        #expect(bench.outbox.returned(a, &bench.window).isEmpty)
        #expect(bench.drain() == [a])
        let refusal = ServerRefusal(code: "no")
        #expect(bench.outbox.refused(a, refusal, mayHaveArrived: true, &bench.window).contains(.lookUp))
        #expect(Self.failure(bench.delivery(a)) == .refused(refusal))
        bench.add(b)
        _ = bench.drain()
        _ = bench.confirm(b)
        #expect(bench.outbox.refused(b, refusal, mayHaveArrived: false, &bench.window).isEmpty, "it has arrived")
    }

    @Test func aFailedMessageGoesToTheEndOfTheQueue() {
        var bench = Bench()
        bench.add(a)
        _ = bench.expire(at: at(Self.maximumAge))
        bench.add(b, at: at(Self.maximumAge))
        guard let failed = bench.window[a] else { return }
        let actions = bench.outbox.resend(
            failed, mayHaveArrived: false, &bench.window, at: at(Self.maximumAge), ServerClock())
        #expect(!actions.contains(.lookUp))
        #expect(bench.window.messages.last?.id == a)
        #expect(bench.drain(at: at(Self.maximumAge)) == [b])
    }

    @Test func aPossiblyDeliveredMessageIsLookedUpForALimitedTime() {
        var bench = Bench()
        bench.add(a)
        _ = bench.drain()
        _ = bench.expire(at: at(Self.sendTimeout))
        guard let failed = bench.window[a] else { return }
        let later = at(Self.sendTimeout)
        #expect(
            bench.outbox.resend(failed, mayHaveArrived: true, &bench.window, at: later, ServerClock()).last == .lookUp)
        #expect(!bench.outbox.limitLookUps(&bench.window, at: later).isEmpty)
        #expect(bench.outbox.limitLookUps(&bench.window, at: later).isEmpty)
        _ = bench.expire(at: at(2 * Self.sendTimeout))
        #expect(Self.failure(bench.delivery(a)) == .timedOut)
    }

    @Test func theDocumentedTimerChecksWhileTheChatIsVisible() {
        var bench = Bench(.documentedTimer)
        bench.add(a)
        _ = bench.drain()
        bench.outbox.settleTick(isWatched: true, at: Self.now)
        #expect(bench.outbox.wake(bench.window) == Self.sendTimeout * 1_000_000)
        bench.outbox.settleTick(isWatched: false, at: Self.now)
        #expect(bench.expire(at: at(Self.sendTimeout)).isEmpty, "the timer does not run")
        #expect(bench.expire(at: at(2 * Self.sendTimeout)).last == .lookUp, "it blocks the others")
        _ = bench.outbox.resolveUnconfirmed(mostLosses: 5, &bench.window, at: at(2 * Self.sendTimeout))
        bench.outbox.settleTick(isWatched: true, at: at(2 * Self.sendTimeout))
        _ = bench.expire(at: at(3 * Self.sendTimeout))
        #expect(Self.failure(bench.delivery(a)) == .timedOut)
    }

    @Test func theWallClockCountsAfterTheBackground() {
        var bench = Bench()
        bench.add(a)
        _ = bench.drain()
        bench.add(b)
        // The monotonic clock stood still.
        let woken = Moment(monotonic: 1, wall: Self.now.wall + Self.sendTimeout)
        _ = bench.outbox.judgeByWallClock(&bench.window, at: woken)
        #expect(Self.failure(bench.delivery(a)) == .timedOut)
        #expect(Self.failure(bench.delivery(b)) == nil)
    }

    @Test func anotherProcessTakesOver() {
        var bench = Bench()
        bench.add(a)
        bench.add(b)
        _ = bench.drain()
        var other = Bench()
        let stored = bench.window.messages.reversed() as [StoredMessage]
        let restored = other.outbox.restore(stored, longestHold: 0, at: at(5000))
        other.window.reset(to: restored)
        #expect(other.outbox.hasUnconfirmed(other.window), "a message that was being sent is unconfirmed")
        #expect(
            other.outbox.wake(other.window) == Self.sendTimeout * 1_000_000, "the deadline of the first process applies"
        )
        _ = other.outbox.resolveUnconfirmed(mostLosses: 5, &other.window, at: at(5000))
        #expect(other.drain(at: at(5000)) == [a])
    }

    @Test func anUnstoredMessageIsRolledBack() {
        var bench = Bench()
        bench.add(a)
        _ = bench.drain()
        bench.outbox.takeBack(a, &bench.window)
        bench.outbox.takeBack(b, &bench.window)
        #expect(!bench.outbox.isOutcomeUnknown(bench.window))
        bench.outbox.remove(a)
        #expect(bench.drain().isEmpty)
    }

    @Test func theQueueIsLimited() {
        var bench = Bench()
        for number in 0..<OutboxMachine.longestQueue {
            #expect(!bench.outbox.isFull)
            bench.add(MessageID("\(number)"))
        }
        #expect(bench.outbox.isFull)
    }
}
