import ChatCenterCoreTestSupport
import ChatWire
import Testing

@testable import ChatCenterCore

/// A thousand chats of a process wake together. Only the probe of an idle socket waits for that.
@Suite("The tolerance of the next wake") struct WakeToleranceTests {
    @Test(arguments: [(nil, 1_000_000_000), (5000, 500_000_000), (300_000, 1_000_000_000)] as [(Int64?, Int64)])
    func aProbeOfAnIdleSocketCanWait(_ interval: Int64?, _ tolerance: Int64) {
        var chat = Chat()
        chat.server.configuration.settings?.pingIntervalMillis = interval
        #expect(chat.core.alarm.tolerance == 0)
        chat.authorize()
        chat.open()
        chat.advance(milliseconds: 4000)
        #expect(chat.core.alarm.tolerance == tolerance)
        chat.handle(.enteredBackground)
        #expect(chat.core.alarm.tolerance == 0)
    }

    @Test func aPendingProbeCannotWait() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .pong
        chat.advance(milliseconds: 15_000)
        #expect(chat.networkCommands.contains(.ping(Generation(1))))
        #expect(chat.core.alarm.tolerance == 0)
    }

    @Test func aMessageThatWaitsForItsReplyCannotWait() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.advance(milliseconds: 4000)
        chat.server.losesMessages = true
        chat.send("Hello", "1-1")
        #expect(chat.core.alarm.tolerance == 0)
    }

    /// The reply to the first draft ends the silence; the second draft waits for the typing interval.
    @Test func itEndsAtTheNextOtherDeadline() {
        var chat = Chat()
        chat.server.configuration.settings?.pingIntervalMillis = 9500
        chat.server.configuration.settings?.typingMessagesIntervalSeconds = 10
        chat.authorize()
        chat.open()
        chat.handle(.typed("H"))
        chat.advance(milliseconds: 9000)
        chat.handle(.typed("He"))
        #expect(chat.core.alarm.tolerance == 500_000_000)
    }
}
