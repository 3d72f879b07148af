import Testing

@testable import ChatCenterCore
@testable import ChatCenterUI

/// Tests what VoiceOver says, and where the list scrolls.
@Suite struct ChatAnnouncerTests {
    let texts = ChatUITexts.keys()

    @Test func newMessagesAreRead() {
        var announcer = ChatAnnouncer()
        func say(_ messages: [ChatScreenMessage], title: ChatScreenTitle = .opened) -> [String] {
            announcer.changes(messages, banners: [], title: title, texts)
        }
        #expect(say([.sample("a")]).isEmpty, "the first state is not read out")
        #expect(say([.sample("0"), .sample("a")]).isEmpty, "older pages are not new")
        let words = say([.sample("a"), .sample("b", text: "Bye"), .sample("c", .me(.sending))])
        #expect(words.count == 1 && words[0].contains("Bye"))
        #expect(say([.sample("a"), .sample("c", .me(.sent))]).isEmpty)
        let many = ["c", "d", "e", "f", "g"].map { ChatScreenMessage.sample($0) }
        #expect(say(many) == ["chat.unread=4"])
        #expect(say(many, title: .typing("Bob")) == ["\u{2068}Bob\u{2069} chat.title.typing"])
        #expect(say(many, title: .typing("Bob")).isEmpty)
    }

    @Test func failuresAndProblemsAreReadOnce() {
        var announcer = ChatAnnouncer()
        let banner = ChatBannerItem.items([.configurationIncomplete], .ready, texts)
        let failed = ChatScreenMessage.sample("a", .me(.failed(.timedOut)))
        _ = announcer.changes([.sample("a", .me(.sending))], banners: [], title: .opened, texts)
        let words = announcer.changes([failed], banners: banner, title: .opened, texts)
        #expect(words.count == 2)
        #expect(words[0].contains("message.status.not_delivered"))
        #expect(words[1] == "banner.configuration_failed")
        #expect(announcer.changes([failed], banners: banner, title: .opened, texts).isEmpty)
    }

    func target(
        _ scroller: inout ChatScroller, _ ids: [String], number: UInt64 = 0, to: String? = nil, marker: String? = nil,
        isAtEnd: Bool = true, own: Bool = false, scrolls: Bool = true
    ) -> ChatRow.ID? {
        var messages = ids.map { ChatScreenMessage.sample($0) }
        if own, let last = ids.last { messages[ids.count - 1] = .sample(last, .me(.queued)) }
        return scroller.target(
            messages, scroll: ChatScreenScroll(number: number, target: to.map { MessageID($0) }),
            scrollsToLatest: scrolls, marker: marker.map { MessageID($0) }, isAtEnd: isAtEnd)
    }

    @Test func theListFollowsNewMessagesAtItsEnd() {
        var scroller = ChatScroller()
        #expect(target(&scroller, []) == nil)
        #expect(target(&scroller, ["a", "b"]) == .message(MessageID("b")))
        #expect(target(&scroller, ["a", "b", "c"]) == .message(MessageID("c")))
        #expect(target(&scroller, ["a", "b", "c", "d"], isAtEnd: false) == nil)
        #expect(scroller.unseen == 1)
        #expect(target(&scroller, ["0", "a", "b", "c", "d"], isAtEnd: false) == nil, "an older page")
        #expect(scroller.unseen == 1)
        #expect(target(&scroller, ["d", "e"], isAtEnd: false, own: true) == .message(MessageID("e")))
        #expect(scroller.unseen == 0)
        #expect(target(&scroller, ["d", "e", "f"], scrolls: false) == nil, "the setting is off")
        #expect(scroller.unseen == 1)
        scroller.reachedEnd()
        #expect(scroller.unseen == 0)
    }

    @Test func theListOpensAtTheUnreadLine() {
        var scroller = ChatScroller()
        #expect(target(&scroller, ["a", "b"], marker: "a") == .unread)
    }

    @Test func requestsOfTheSDKWin() {
        var scroller = ChatScroller()
        _ = target(&scroller, ["a", "b"], number: 3, to: "a")
        #expect(target(&scroller, ["a", "b"], number: 3, to: "a") == nil)
        #expect(target(&scroller, ["a", "b"], number: 4, to: "a") == .message(MessageID("a")))
        #expect(scroller.isRequested)
        #expect(target(&scroller, ["a", "b"], number: 5, to: "x") == nil, "an unknown row")
        #expect(!scroller.isRequested)
    }

    @Test func visibilityIsReportedOnce() {
        var visibility = ChatVisibility()
        #expect(visibility.set(false) == false)
        #expect(visibility.set(true) == true)
        #expect(visibility.set(true) == false)
        #expect(visibility.set(false) == true)
    }
}

extension ChatScreenMessage {
    fileprivate static func sample(_ id: String, text: String) -> ChatScreenMessage {
        sample(id, .other(.sample()), text)
    }
}
