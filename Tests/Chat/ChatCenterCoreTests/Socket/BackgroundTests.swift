import ChatCenterCore
import ChatWire
import Testing

/// Tests which work the background closes, which work can finish first, and what the foreground does.
@Suite struct BackgroundTests {
    /// Returns an open chat with a message that the server accepted but does not acknowledge.
    func waiting() -> Chat {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .message
        chat.send("Hi", "a-1")
        chat.forgetEffects()
        return chat
    }

    /// Returns the reply to the last frame that was sent.
    func acknowledge(_ chat: inout Chat, _ id: String) {
        let frame = chat.sentFrames.last { frame in
            if case .sendMessage(let content, _) = frame.body { content.uuid == id } else { false }
        }
        let receipt = ServerFrame(
            .receipt(SendReceipt(messageID: "m", sentAt: nil)), correlationID: frame?.correlationID)
        if let live = chat.core.liveGeneration { chat.handle(.network(.received(live, receipt))) }
    }

    @Test("without pending work, the background closes the socket at once and leaves no timer")
    func nothingUnderWay() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.handle(.typed("draft"))
        chat.forgetEffects()
        chat.handle(.enteredBackground)
        #expect(chat.networkCommands == [.closeSocket(Generation(1), .background)])
        #expect(chat.core.nextWake == nil)
        #expect(!chat.effects.contains(.holdProcess(milliseconds: 5000)))
    }

    @Test("a pending acknowledgement keeps the socket open until it arrives")
    func acknowledged() throws {
        var whole = Chat()
        whole.authorize()
        whole.open()
        whole.server.silence = .message
        whole.send("Hi", "a-1")
        whole.handle(.enteredBackground)
        #expect(whole.effects.contains(.holdProcess(milliseconds: 5000)))
        #expect(whole.core.nextWake == whole.now.monotonic + 5_000_000_000, "the only timer is limited")
        #expect(whole.state == .ready)
        acknowledge(&whole, "a-1")
        #expect(whole.own("a-1") == .sent)
        #expect(whole.state == .closed(.background))
        #expect(whole.core.nextWake == nil)
        // The process is released only after the socket was closed.
        let close = try #require(whole.effects.firstIndex(of: .network(.closeSocket(Generation(1), .background))))
        let release = try #require(whole.effects.firstIndex(of: .releaseProcess))
        #expect(close < release)
        #expect(whole.effects.count { $0 == .releaseProcess } == 1)
    }

    @Test("without an acknowledgement the grace period ends after 5 s, and the history is checked later")
    func expired() {
        var chat = waiting()
        chat.handle(.enteredBackground)
        chat.advance(milliseconds: 4999)
        #expect(chat.core.liveGeneration == Generation(1))
        chat.advance(milliseconds: 1)
        #expect(chat.core.liveGeneration == nil)
        #expect(chat.core.nextWake == nil)
        #expect(chat.effects.contains(.releaseProcess))
        chat.server.silence = []
        chat.handle(.enteredForeground)
        #expect(chat.own("a-1") == .sent)
        #expect(chat.server.frames["a-1"] == 1, "checked in the history, not sent again")
    }

    @Test("no message, draft or probe is sent during the grace period")
    func nothingNew() {
        var chat = waiting()
        chat.send("next", "a-2")
        chat.handle(.enteredBackground)
        chat.forgetEffects()
        chat.send("later", "a-3")
        chat.handle(.typed("draft"))
        chat.handle(.reload)
        chat.handle(.loadOlder)
        chat.advance(milliseconds: 4900)
        let begun = chat.networkCommands.filter { command in
            if case .transmit = command { true } else if case .ping = command { true } else { false }
        }
        #expect(begun.isEmpty)
        acknowledge(&chat, "a-1")
        #expect(chat.state == .closed(.background), "the next messages stay queued")
        #expect(chat.own("a-2") == .queued)
        chat.server.silence = []
        chat.handle(.enteredForeground)
        #expect(chat.server.accepted == ["a-1", "a-2", "a-3"])
    }

    @Test func aReadMarkAndALogoutGetTheGracePeriodToo() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .statuses
        chat.push(chat.server.says("one", uuid: "o-1"))
        chat.handle(.enteredBackground)
        #expect(chat.core.liveGeneration == Generation(1))
        chat.advance(milliseconds: 5000)
        #expect(chat.core.liveGeneration == nil)
    }

    @Test(
        "a logout that began in the foreground has the rest of its 5 s in the background",
        arguments: [Int64(0), 2000, 4999])
    func aLogoutGetsNoMoreTime(_ before: Int64) {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .offline
        chat.handle(.logout(Ticket(1)))
        chat.advance(milliseconds: before)
        chat.forgetEffects()
        chat.handle(.enteredBackground)
        #expect(chat.effects.contains(.holdProcess(milliseconds: 5000 - before)))
        #expect(chat.core.nextWake == chat.now.monotonic + (5000 - before) * 1_000_000)
        chat.advance(milliseconds: 4999 - before)
        #expect(chat.core.liveGeneration == Generation(1))
        chat.advance(milliseconds: 1)
        #expect(chat.core.liveGeneration == nil)
        #expect(chat.core.nextWake == nil)
        #expect(chat.effects.contains(.releaseProcess))
        #expect(chat.notices.contains(.loggedOut(Ticket(1), .localOnlyPending)))
    }

    @Test func aSocketLostInTheGracePeriodIsNotReplaced() {
        var chat = waiting()
        chat.handle(.enteredBackground)
        chat.forgetEffects()
        chat.breakLink()
        #expect(chat.openedSockets == 0)
        #expect(chat.core.nextWake == nil)
        #expect(chat.effects.contains(.releaseProcess))
    }

    @Test func enteringTheBackgroundTwiceGivesNoMoreTime() {
        var chat = waiting()
        chat.handle(.enteredBackground)
        chat.advance(milliseconds: 3000)
        chat.handle(.enteredBackground)
        chat.advance(milliseconds: 2000)
        #expect(chat.core.liveGeneration == nil)
    }

    @Test("in the foreground, an open socket is probed and must answer within 2.5 s")
    func foregroundProbes() {
        for isAlive in [true, false] {
            var chat = waiting()
            chat.handle(.enteredBackground)
            chat.advance(milliseconds: 1000)
            if !isAlive { chat.server.silence = [.message, .pong] }
            chat.forgetEffects()
            chat.handle(.enteredForeground)
            #expect(chat.networkCommands.contains(.ping(Generation(1))))
            #expect(chat.effects.contains(.releaseProcess))
            chat.advance(milliseconds: 2499)
            #expect(chat.core.liveGeneration == Generation(1))
            chat.server.silence = .message
            chat.advance(milliseconds: 1)
            #expect(chat.core.liveGeneration == Generation(isAlive ? 1 : 2))
        }
    }

    @Test("in the foreground, missed messages and the unread count are requested")
    func foregroundFetches() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.handle(.enteredBackground)
        _ = chat.server.says("missed", uuid: "o-1")
        chat.forgetEffects()
        chat.handle(.enteredForeground)
        #expect(chat.message("o-1")?.text == "missed")
        let requests = chat.networkCommands.compactMap { command -> RESTRequest? in
            if case .call(_, let call) = command { call.request } else { nil }
        }
        #expect(requests.contains(.unread))
        #expect(requests.contains { if case .history = $0 { true } else { false } })
    }

    @Test func logoutInTheBackgroundOpensNoConnection() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.close()
        chat.handle(.enteredBackground)
        chat.forgetEffects()
        chat.handle(.logout(Ticket(1)))
        #expect(chat.openedSockets == 0)
        #expect(chat.notices.contains(.loggedOut(Ticket(1), .localOnlyPending)))
        #expect(chat.core.nextWake == nil)
    }
}
