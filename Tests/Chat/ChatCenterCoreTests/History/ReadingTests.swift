import ChatCenterCore
import ChatWire
import Testing

/// Tests read marks, delivery marks and the unread count from its three sources.
@Suite struct ReadingTests {
    func unreads(_ chat: Chat) -> [Int] {
        chat.notices.compactMap { if case .unread(let count) = $0 { count } else { nil } }
    }

    var keeping: ChatSettings {
        var local = ChatLocalSettings.standard
        local.keepSocketActive = true
        return ChatSettings(providerUID: "p", local: local)
    }

    @Test func theHistoryCountsAfterAuthorize() {
        var chat = Chat()
        for number in 0..<3 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.server.accept(Content(.message, uuid: "own", text: "mine"))
        chat.authorize()
        #expect(unreads(chat) == [0, 3], "0 for a new user, then the count of the history")
    }

    @Test func visibleMessagesAreMarkedAsRead() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.push(chat.server.says("one", uuid: "o-1"))
        #expect(chat.server.statuses == [StatusChange(messageID: "m-o-1", status: .read)])
        #expect(chat.screen.unreadCount == 0)
        chat.close()
        chat.push(chat.server.says("two", uuid: "o-2"))
        #expect(chat.server.statuses.last == StatusChange(messageID: "m-o-2", status: .delivered))
        #expect(chat.screen.unreadCount == 1)
        #expect(unreads(chat).last == 1)
        chat.open(2)
        #expect(chat.server.statuses.last == StatusChange(messageID: "m-o-2", status: .read))
        #expect(unreads(chat).last == 0)
    }

    @Test func anUnansweredReadMarkIsSentAgain() {
        var chat = Chat()
        _ = chat.server.says("one", uuid: "o-1")
        chat.authorize()
        chat.server.silence = .statuses
        chat.open()
        #expect(chat.server.statuses.isEmpty)
        chat.server.silence = []
        // Also after a restart.
        chat.restart()
        chat.authorize()
        #expect(chat.screen.unreadCount == 0)
        chat.open()
        #expect(chat.server.statuses == [StatusChange(messageID: "m-o-1", status: .read)])
        chat.breakLink()
        #expect(chat.server.statuses.count == 1)
    }

    @Test func thePollStartsTheDelayAfterTheLastOneAndNeverInTheBackground() {
        var chat = Chat(ChatSettings(providerUID: "p", unreadMessageCountDelay: 30))
        chat.authorize()
        chat.server.unreadCount = 4
        chat.forgetEffects()
        chat.advance(milliseconds: 29_999)
        #expect(unreads(chat).isEmpty)
        chat.advance(milliseconds: 1)
        #expect(unreads(chat) == [4])
        chat.server.silence = .unread
        chat.advance(milliseconds: 300_000)
        let calls = chat.networkCommands.compactMap { command -> CallID? in
            if case .call(let id, let call) = command, call.request == .unread { id } else { nil }
        }
        #expect(calls.count == 2, "no second call before the first one is answered")
        chat.server.silence = []
        chat.handle(.network(.answered(calls[1], .failure(TransportFailure(.timedOut)))))
        chat.advance(milliseconds: 30_000)
        #expect(unreads(chat) == [4, 4])
        chat.handle(.enteredBackground)
        #expect(chat.core.nextWake == nil)
    }

    @Test func withoutADelayThereIsNoPoll() {
        var chat = Chat()
        chat.authorize()
        #expect(chat.core.nextWake == nil)
    }

    @Test func theForegroundRequestsTheCount() {
        var chat = Chat()
        chat.authorize()
        chat.handle(.enteredBackground)
        chat.server.unreadCount = 2
        chat.handle(.enteredForeground)
        #expect(chat.screen.unreadCount == 2)
    }

    @Test func aRequestForTheCountGetsTheServersCount() {
        var chat = Chat()
        chat.authorize()
        chat.server.unreadCount = 7
        chat.handle(.unreadCount(Ticket(3)))
        #expect(chat.notices.contains(.unreadAnswer(Ticket(3), .success(7))))
        #expect(chat.screen.unreadCount == 7)
    }

    @Test func aMessageFromThreeSourcesIsCountedOnce() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.close()
        let message = chat.server.says("one", uuid: "o-1")
        chat.push(message)
        chat.push(message)
        #expect(chat.screen.unreadCount == 1)
        chat.server.unreadCount = 1
        chat.handle(.unreadCount(Ticket(1)))
        chat.breakLink()
        #expect(chat.screen.unreadCount == 1)
        // The server counts a message that has not been loaded yet. Loading it does not count it again.
        _ = chat.server.says("two", uuid: "o-2")
        chat.server.unreadCount = 2
        chat.handle(.unreadCount(Ticket(2)))
        #expect(chat.screen.unreadCount == 2)
        chat.breakLink()
        #expect(chat.screen.unreadCount == 2)
    }

    @Test func aResponseThatMissesANewMessageIsNotTrusted() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.close()
        chat.server.silence = .unread
        chat.handle(.unreadCount(Ticket(1)))
        let call = chat.networkCommands.last.flatMap { command -> CallID? in
            if case .call(let id, _) = command { id } else { nil }
        }
        chat.push(chat.server.says("one", uuid: "o-1"))
        if let call { chat.handle(.network(.answered(call, .success(.unread(UnreadAnswer(count: 0)))))) }
        #expect(chat.screen.unreadCount == 1)
    }

    /// The server sends the date of its newest message with the count. A message that arrives after the response is
    /// included exactly if its date is not later.
    @Test(arguments: [(Int64(0), 1), (-1, 2)])
    func theDateOfACountDecidesWhichMessagesItIncludes(offset: Int64, count: Int) {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.close()
        let message = chat.server.says("one", uuid: "o-1")
        chat.server.unreadCount = 1
        chat.server.unreadLastDate = message.receivedDate.map { $0 + offset }
        chat.handle(.unreadCount(Ticket(1)))
        #expect(chat.screen.unreadCount == 1)
        chat.push(message)
        #expect(chat.screen.unreadCount == count)
    }

    /// A missed message that is newer than the count is not included in it.
    @Test func aMissedMessageAfterTheDateOfTheCountIsCounted() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.close()
        chat.server.silence = [.upgrade]
        chat.breakLink()
        let counted = chat.server.says("one", uuid: "o-1")
        chat.server.unreadCount = 1
        chat.server.unreadLastDate = counted.receivedDate
        chat.handle(.unreadCount(Ticket(1)))
        #expect(chat.screen.unreadCount == 1)
        _ = chat.server.says("two", uuid: "o-2")
        chat.server.silence = []
        chat.advance(milliseconds: 60_000)
        #expect(chat.state == .ready)
        #expect(chat.screen.unreadCount == 2)
    }

    /// The server pushes missed messages right after the handshake, before the history arrives.
    @Test func aPushedMissedMessageIsNotCountedAgain() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.close()
        chat.server.silence = [.upgrade]
        chat.breakLink()
        let missed = chat.server.says("one", uuid: "o-1")
        chat.server.unreadCount = 1
        chat.handle(.unreadCount(Ticket(1)))
        #expect(chat.screen.unreadCount == 1)
        chat.server.silence = [.history]
        chat.advance(milliseconds: 60_000)
        #expect(chat.state == .ready)
        chat.push(missed)
        #expect(chat.screen.unreadCount == 1)
    }

    /// The server does not know yet that a message was read here, and counts it.
    @Test func aResponseThatCountsReadMessagesIsNotTrusted() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.server.silence = .statuses
        chat.push(chat.server.says("one", uuid: "o-1"))
        chat.close()
        #expect(chat.screen.unreadCount == 0)
        chat.server.unreadCount = 1
        chat.handle(.unreadCount(Ticket(1)))
        #expect(chat.screen.unreadCount == 0)
    }

    /// The message is read between the call and its answer.
    @Test func aResponseDuringReadingIsNotTrusted() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.close()
        chat.push(chat.server.says("one", uuid: "o-1"))
        chat.server.silence = .unread
        chat.handle(.unreadCount(Ticket(1)))
        let call = chat.networkCommands.last.flatMap { command -> CallID? in
            if case .call(let id, _) = command { id } else { nil }
        }
        chat.open(2)
        chat.close(2)
        if let call { chat.handle(.network(.answered(call, .success(.unread(UnreadAnswer(count: 1)))))) }
        #expect(chat.screen.unreadCount == 0)
    }

    @Test func anInvalidServerCountIsClamped() {
        var chat = Chat()
        chat.authorize()
        for (count, shown) in [(Int64.min, 0), (-1, 0), (.max, 1_000_000)] {
            chat.server.unreadCount = count
            chat.handle(.unreadCount(Ticket(1)))
            #expect(chat.screen.unreadCount == shown)
        }
    }

    /// A lost reply on a live socket must not block later read marks forever.
    @Test func unansweredReadMarksAreRetriedAFewTimes() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.server.silence = .statuses
        chat.push(chat.server.says("one", uuid: "o-1"))
        func marks() -> Int {
            chat.networkCommands.count { command in
                guard case .transmit(_, _, let frame) = command else { return false }
                if case .updateStatuses = frame.body { return true }
                return false
            }
        }
        #expect(marks() == 1)
        chat.advance(milliseconds: 20_000)
        #expect(marks() == 2)
        chat.advance(milliseconds: 200_000)
        #expect(marks() == 3)
        chat.server.silence = []
        chat.breakLink()
        chat.advance(milliseconds: 1000)
        #expect(chat.server.statuses.map(\.messageID) == ["m-o-1"])
    }

    /// The answer to the call arrives before the push on the socket.
    @Test func aMessageCountedBeforeItsArrivalIsCountedOnce() {
        var chat = Chat(keeping)
        chat.authorize()
        chat.open()
        chat.close()
        chat.server.clock = chat.now.wall
        let message = chat.server.says("one", uuid: "o-1")
        chat.advance(milliseconds: 100)
        chat.server.unreadCount = 1
        chat.handle(.unreadCount(Ticket(1)))
        #expect(chat.screen.unreadCount == 1)
        chat.push(message)
        #expect(chat.screen.unreadCount == 1)
        // A message that was written later is new.
        chat.server.clock = chat.now.wall + 5000
        chat.push(chat.server.says("two", uuid: "o-2"))
        #expect(chat.screen.unreadCount == 2)
    }
}
