@testable import HoldfastWebSocket
import Testing

@Suite struct MailboxTests {
    private func message(_ size: Int) -> InboundMessage { .message(.binary([UInt8](repeating: 0, count: size))) }

    @Test func handsAMessageToAWaitingReader() {
        var mailbox = Mailbox<Int>(capacity: 100)
        guard case .empty = mailbox.take() else {
            Issue.record("The mailbox is not empty.")
            return
        }
        mailbox.wait(1, 42)
        guard case .busy = mailbox.take(), case .handOver(42) = mailbox.deliver(message(1000)),
            case .empty = mailbox.take()
        else {
            Issue.record("The delivery result is wrong.")
            return
        }
    }

    @Test func pausesAboveTheCapacityAndResumesAtHalf() {
        var mailbox = Mailbox<Int>(capacity: 1000)
        var pauses: [Bool] = []
        for _ in 0..<12 {
            if case .stored(let pause) = mailbox.deliver(message(100 - WebSocketLimits.messageOverhead)) {
                pauses.append(pause)
            }
        }
        // Only the eleventh delivery reports the pause.
        #expect(pauses == Array(repeating: false, count: 10) + [true, false])
        var resumes: [Bool] = []
        for _ in 0..<12 {
            if case .message(_, let resume) = mailbox.take() { resumes.append(resume) }
        }
        #expect(resumes.count == 12)
        #expect(resumes.firstIndex(of: true) == 6)
        #expect(resumes.count { $0 } == 1)
    }

    @Test func emptyMessagesAlsoFillTheMailbox() {
        var mailbox = Mailbox<Int>(capacity: 1000)
        var hasPaused = false
        for _ in 0..<20 {
            if case .stored(true) = mailbox.deliver(.message(.text(""))) { hasPaused = true }
        }
        #expect(hasPaused)
    }

    @Test func deliversTheEndAfterAllMessagesAndItsErrorOnce() {
        var mailbox = Mailbox<Int>(capacity: 1000)
        _ = mailbox.deliver(.message(.text("last")))
        #expect(mailbox.finish(WebSocketError(.connectionLost, "")) == nil)
        #expect(mailbox.finish(nil) == nil)
        guard case .message(.message(.text("last")), _) = mailbox.take(), case .end(let error) = mailbox.take(),
            case .end(nil) = mailbox.take()
        else {
            Issue.record("The end came too early.")
            return
        }
        #expect((error as? WebSocketError)?.code == .connectionLost)
    }

    @Test func cancellingAReaderAffectsOnlyThatReader() {
        var mailbox = Mailbox<Int>(capacity: 1000)
        mailbox.wait(7, 70)
        #expect(mailbox.cancel(6) == nil)
        #expect(mailbox.cancel(7) == 70)
        #expect(mailbox.cancel(7) == nil)
        guard case .stored = mailbox.deliver(.message(.text("kept"))),
            case .message(.message(.text("kept")), _) = mailbox.take()
        else {
            Issue.record("The message was lost.")
            return
        }
    }
}

@Suite struct OutboxTests {
    private let message = OutboundMessage.message(
        .binary([UInt8](repeating: 0, count: 100 - FrameHeader.maximumSize)))

    @Test func sendersWaitInOrderWhileTheOutboxIsFull() {
        var outbox = Outbox<Int>(capacity: 300)
        var drains: [Bool] = []
        for _ in 0..<3 {
            if case .taken(let drain) = outbox.submit(message) { drains.append(drain) }
        }
        #expect(drains == [true, false, false])
        for ticket in UInt64(1)...4 {
            guard case .full = outbox.submit(message) else {
                Issue.record("taken")
                return
            }
            outbox.wait(ticket, message, Int(ticket))
        }
        #expect(outbox.drain().count == 3)
        #expect(outbox.cancel(2) == 2)
        #expect(outbox.accepted(100) == [])
        #expect(outbox.accepted(100) == [1, 3])
        // Other senders are still waiting and must not be overtaken.
        #expect(outbox.drain().count == 2)
        #expect(outbox.accepted(100) == [])
        guard case .full = outbox.submit(message) else {
            Issue.record("overtaken")
            return
        }
        #expect(outbox.accepted(200) == [4])
    }

    @Test func acceptsAMessageLargerThanTheCapacity() {
        var outbox = Outbox<Int>(capacity: 1)
        guard case .taken(drain: true) = outbox.submit(message), case .full = outbox.submit(.message(.text(""))) else {
            Issue.record("wrong")
            return
        }
    }

    @Test func closingFailsWaitingSenders() {
        var outbox = Outbox<Int>(capacity: 1)
        _ = outbox.submit(message)
        outbox.wait(1, message, 10)
        outbox.wait(2, message, 20)
        #expect(outbox.close(WebSocketError(.closed, "")) == [10, 20])
        #expect(outbox.close(WebSocketError(.closed, "")) == [])
        guard case .closed(let error) = outbox.submit(message) else {
            Issue.record("taken")
            return
        }
        #expect((error as? WebSocketError)?.code == .closed)
        // Accepted messages may still be sent.
        #expect(outbox.drain().count == 1)
    }
}
