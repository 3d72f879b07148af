import ChatWire
import Foundation
import Testing

@testable import ChatCenter
@testable import ChatCenterCore
@testable import ChatCenterUI

/// Tests the view model: what it draws, and what it calls on the screen.
@MainActor @Suite struct ChatViewModelTests {
    @Test func theViewReportsItsVisibilityOnce() {
        let test = TestModel()
        test.model.appeared()
        test.model.appeared()
        #expect(test.screen.calls == ["appear"])
        test.model.disappeared()
        test.model.disappeared()
        #expect(test.screen.calls == ["disappear"])
    }

    @Test func rowsAreArrangedAgainWhenTheyChange() {
        let test = TestModel(.sample([("a", "one", start)]))
        #expect(test.model.rows.map(\.id) == [.day(19_675), .unread, .message(MessageID("a"))])
        test.state.add(.sample("b", "two", at: start + minute, sequence: 1))
        #expect(test.model.rows.last?.id == .message(MessageID("b")))
        test.state.title = .connecting
        #expect(test.model.rows.count == 4)
    }

    @Test func aMessageIsSentOnceAndTheFieldEmptied() async {
        let test = TestModel()
        test.model.edit("Hello")
        await test.model.send()
        await test.model.send()
        #expect(test.screen.calls == ["typed Hello", "send id2 Hello"])
        #expect(test.model.draft.text.isEmpty)
        #expect(!test.model.isSending)
    }

    @Test func aRefusedMessageStaysInTheField() async {
        let test = TestModel()
        test.screen.refuse(ChatSendError(.messageNotSent, "The outbox is full."))
        test.model.edit("Hello")
        await test.model.send()
        #expect(test.model.draft.text == "Hello")
        #expect(test.model.sendError == "The outbox is full.")
        test.screen.refuse(nil)
        await test.model.send()
        #expect(test.model.sendError == nil)
        #expect(test.model.draft.text.isEmpty)
    }

    @Test func theUnreadLineGoesWhenTheUserAnswers() async {
        let test = TestModel(.sample([("a", "one", start)]))
        #expect(test.model.marker.first != nil)
        test.model.edit("Hello")
        await test.model.send()
        #expect(test.model.marker.first == nil)
        #expect(!test.model.rows.contains(.unread))
    }

    @Test func filesAreCheckedBeforeTheyAreSent() async {
        let test = TestModel()
        let place = URL(fileURLWithPath: "/tmp/a.pdf")
        await test.model.attach(ChatOutgoingFile(place: place, name: "a.exe", type: "x"), size: 1)
        #expect(test.model.sendError == "errors.disallowed_file_loading: pdf, jpeg, m4a")
        await test.model.attach(ChatOutgoingFile(place: place, name: "a.pdf", type: "x"), size: 1001)
        #expect(test.model.sendError?.hasPrefix("errors.file_too_large") == true)
        #expect(test.screen.calls.isEmpty)
        await test.model.attach(ChatOutgoingFile(place: place, name: "a.pdf", type: "application/pdf"), size: 1000)
        #expect(test.screen.calls == ["file id2 a.pdf application/pdf 0"])
        #expect(test.model.sendError == nil)
    }

    @Test func photosAreCopiedAndTheCopyDeleted() async {
        let test = TestModel()
        await test.model.attach(Data([1]), name: "photo.jpeg", type: "image/jpeg")
        #expect(test.screen.calls == ["file id3 photo.jpeg image/jpeg 0"])
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("chat-id2")
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }

    @Test func quickRepliesAreInTheToolbarOrInTheMessage() async {
        let test = TestModel(
            .sample {
                var message = StoredMessage.sample("a", "Choose", at: start)
                message.content.quickReplies = [.init(text: "Yes"), .init(text: "No")]
                $0.add(message)
                $0.answerable = MessageID("a")
            })
        #expect(test.model.toolbar(.embed).isEmpty)
        let replies = test.model.toolbar(.toolbar)
        #expect(replies.map(\.title) == ["Yes", "No"])
        await test.model.press(replies[1])
        #expect(test.screen.calls == ["press id2 No"])
        test.state.answerable = nil
        test.state.add(.sample("b", "Thanks", at: start + 1, sequence: 1))
        #expect(test.model.toolbar(.toolbar).isEmpty)
    }

    @Test func aFoundMessageAmongTheRowsClosesTheSearch() {
        let test = TestModel(.sample([("a", "one", start), ("b", "two", start)]))
        _ = test.model.stateChanged()
        test.model.toggleSearch()
        test.model.jump(to: MessageID("a"))
        #expect(test.screen.calls == ["context a"])
        test.state.scroll = ChatScreenScroll(number: 1, target: MessageID("a"))
        #expect(test.model.stateChanged().scroll == .message(MessageID("a")))
        #expect(!test.model.isSearching)
        #expect(test.screen.calls == ["search ", "close context"])
    }

    @Test func aFoundMessageElsewhereShowsItsSurroundings() {
        let test = TestModel(.sample([("a", "one", start)]))
        #expect(test.model.contextRows == nil)
        test.state.context = ChatScreenContext(
            target: MessageID("x"), messages: [.sample("w", at: start - day), .sample("x", at: start - day)],
            older: .idle, newer: .atEnd)
        #expect(test.model.contextRows?.count == 3)
        #expect(test.model.contextRows?.last?.id == .message(MessageID("x")))
    }

    @Test func onlyAVisibleChatSpeaks() {
        let test = TestModel(.sample([("a", "one", start)]))
        _ = test.model.stateChanged()
        test.state.add(.sample("b", "two", at: start, sequence: 1))
        #expect(test.model.stateChanged().announcements.isEmpty)
        test.model.appeared()
        test.state.add(.sample("c", "three", at: start, sequence: 2))
        let change = test.model.stateChanged()
        #expect(change.announcements.count == 1 && change.announcements[0].contains("three"))
        #expect(change.scroll == .message(MessageID("c")))
    }

    @Test func theCounterOfUnseenMessages() {
        let test = TestModel(.sample([("a", "one", start)]))
        _ = test.model.stateChanged()
        test.model.scrolled(isAtEnd: false)
        test.state.add(.sample("b", "two", at: start, sequence: 1))
        #expect(test.model.stateChanged().scroll == nil)
        #expect(test.model.unseen == 1)
        #expect(test.model.unseenSpoken == "chat.unread=1")
        test.model.scrolled(isAtEnd: true)
        #expect(test.model.unseen == 0)
    }

    @Test func olderMessagesAreLoadedOnce() {
        let test = TestModel()
        test.model.reachedBeginning()
        test.state.paging = .loading
        test.model.reachedBeginning()
        test.state.paging = .failed(TransportFailure(.timedOut))
        test.model.reachedBeginning()
        #expect(test.screen.calls == ["older"], "a failure waits for a tap")
    }

    @Test func changesThatMatterAreObserved() {
        let test = TestModel()
        let before = test.model.observed
        test.state.unreadCount = 5
        #expect(test.model.observed == before)
        test.state.banners = [.configurationIncomplete]
        #expect(test.model.observed != before)
    }
}
