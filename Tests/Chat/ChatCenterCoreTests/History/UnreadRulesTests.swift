import ChatCenterCore
import ChatWire
import Testing

/// Tests when `didChangeUnreadMessages` is called, as documented.
@Suite struct UnreadRulesTests {
    func unreads(_ chat: Chat) -> [Int] {
        chat.notices.compactMap { if case .unread(let count) = $0 { count } else { nil } }
    }

    func chat(delay: Int64 = 0, keepSocketActive: Bool = false) -> Chat {
        var local = ChatLocalSettings.standard
        local.keepSocketActive = keepSocketActive
        return Chat(ChatSettings(providerUID: "p", local: local, unreadMessageCountDelay: delay))
    }

    @Test func theCountIsZeroOnceForAnotherUserOrToken() {
        var chat = chat()
        chat.authorize()
        #expect(unreads(chat) == [0])
        chat.authorize()
        #expect(unreads(chat) == [0], "nothing for the same user and token")
        chat.authorize(Chat.user, WireCredentials(token: "t-2"))
        #expect(unreads(chat) == [0, 0])
        chat.authorize(UserIdentity(clientID: "bob"))
        #expect(unreads(chat) == [0, 0, 0])
    }

    @Test func neverAfterDeauthorizeUser() {
        var chat = chat(delay: 5)
        _ = chat.server.says("1", uuid: "o-1")
        chat.authorize()
        chat.forgetEffects()
        chat.handle(.deauthorize)
        chat.advance(milliseconds: 60_000)
        #expect(unreads(chat).isEmpty)
    }

    @Test func liveMessagesCountWithAClosedChatOnlyOnAKeptSocket() {
        for isKept in [false, true] {
            var chat = chat(keepSocketActive: isKept)
            chat.authorize()
            chat.open()
            chat.close()
            chat.forgetEffects()
            chat.push(chat.server.says("1", uuid: "o-1"))
            #expect(unreads(chat) == (isKept ? [1] : []))
        }
    }

    @Test func afterEachPollAlsoWhenNothingChanged() {
        var chat = chat(delay: 10)
        chat.authorize()
        chat.server.unreadCount = 3
        chat.forgetEffects()
        chat.advance(milliseconds: 35_000)
        #expect(unreads(chat) == [3, 3, 3])
    }

    @Test func theForegroundUpdatesTheCountWithoutACall() {
        var chat = chat()
        chat.authorize()
        chat.handle(.enteredBackground)
        chat.server.unreadCount = 4
        chat.forgetEffects()
        chat.handle(.enteredForeground)
        #expect(unreads(chat).last == 4)
    }

    @Test func readingOnAnotherDeviceCounts() {
        var chat = chat(keepSocketActive: true)
        chat.authorize()
        chat.open()
        chat.close()
        var content = chat.server.says("1", uuid: "o-1")
        chat.push(content)
        #expect(unreads(chat).last == 1)
        content.read = true
        chat.push(content)
        #expect(unreads(chat).last == 0)
    }
}
