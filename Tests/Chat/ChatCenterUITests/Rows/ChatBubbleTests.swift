import ChatWire
import Foundation
import Testing

@testable import ChatCenterCore
@testable import ChatCenterUI

/// Tests the contents of messages.
@Suite struct ChatBubbleTests {
    let texts = ChatUITexts.keys()

    func bubble(_ message: ChatScreenMessage, startsGroup: Bool = true) -> ChatBubble {
        ChatBubble(message, startsGroup: startsGroup, texts: texts)
    }

    @Test func eachDeliveryStateHasAText() {
        let states: [(ChatMessageState, String)] = [
            (.queued, "queued"), (.uploading, "uploading"), (.sending, "sending"), (.sent, "sent"),
            (.delivered, "delivered"), (.read, "read"), (.failed(.timedOut), "not_delivered"),
        ]
        for (state, name) in states {
            let delivery = bubble(.sample("a", .me(state))).delivery
            #expect(delivery?.text == "message.status." + name)
            #expect(delivery?.isFailed == (name == "not_delivered"))
        }
        #expect(Set(states.compactMap { bubble(.sample("a", .me($0.0))).delivery?.symbol }).count == states.count)
        #expect(bubble(.sample()).delivery == nil)
    }

    @Test func actionsDependOnTheState() {
        #expect(bubble(.sample("a", .me(.failed(.timedOut)))).actions == [.retry, .delete, .copy])
        #expect(bubble(.sample("a", .me(.queued))).actions == [.delete, .copy])
        #expect(bubble(.sample("a", .me(.sending))).actions == [.copy])
        #expect(bubble(.sample("a", .me(.read))).actions == [.copy, .reply])
        #expect(bubble(.sample()).actions == [.copy, .reply])
        #expect(bubble(.sample(kind: .deleted)).actions.isEmpty)
    }

    @Test func maskedTextsAreHiddenEverywhere() {
        let secret = ChatScreenMessage.sample("a", .me(.sent), "4111 https://a.example") {
            $0.isMasked = true
            $0.previewLink = "https://a.example"
        }
        let shown = bubble(secret)
        #expect(shown.text.map { String($0.characters) } == ChatBubble.mask)
        #expect(shown.copyText == nil)
        #expect(!shown.actions.contains(.copy))
        #expect(!shown.spoken.contains("4111"))
        #expect(shown.link == nil)
    }

    @Test func deletedMessagesShowNothingElse() {
        let message = ChatScreenMessage.sample("a", kind: .deleted, files: [.sample()]) {
            $0.quoted = ["old"]
            $0.isEdited = true
        }
        let shown = bubble(message)
        #expect(shown.isDeleted)
        #expect(shown.text.map { String($0.characters) } == "message.deleted_text")
        #expect(shown.files.isEmpty && shown.quotes.isEmpty && shown.edited == nil && shown.copyText == nil)
    }

    @Test func authorsAreNamedOnceInAGroup() {
        let bot = ChatScreenMessage.sample("a", .other(.sample("Max", role: .bot)))
        #expect(bubble(bot).author?.name == "Max")
        #expect(bubble(bot).author?.role == "operator.bot")
        #expect(bubble(bot).author?.initial == "M")
        #expect(bubble(bot, startsGroup: false).author == nil)
        #expect(bubble(.sample("a", .other(.sample(nil)))).author?.name == "operator.operator")
        #expect(bubble(.sample("a", .me(.sent))).author == nil)
    }

    @Test func theUserIsNamedOnceInAGroup() {
        let own = bubble(.sample("a", .me(.sent)))
        #expect(own.ownAuthor?.name == "message.you" && own.ownAuthor?.initial == "M")
        #expect(own.ownAuthor?.photo == nil && own.ownAuthor?.role == nil)
        #expect(bubble(.sample("a", .me(.sent)), startsGroup: false).ownAuthor == nil)
        #expect(bubble(.sample("a", .other(.sample("Max")))).ownAuthor == nil)
    }

    @Test func unsupportedMessagesSaySo() {
        let shown = bubble(.sample("a", .other(.sample()), nil, kind: .unsupported("LOTTERY")))
        #expect(shown.text.map { String($0.characters) } == "message.unsupported")
    }

    @Test func voiceOverReadsTheWholeMessage() {
        let message = ChatScreenMessage.sample("a", .me(.failed(.timedOut)), "Hi", files: [.sample()]) {
            $0.quoted = ["before"]
            $0.isEdited = true
        }
        let spoken = bubble(message).spoken
        for part in [
            "message.you", "before", "Hi", "a.pdf", "10:13", "message.edited", "message.status.not_delivered",
            "errors.connection_timeout",
        ] { #expect(spoken.contains(part), "\(part) in \(spoken)") }
    }

    @Test func quotesOfAllKinds() {
        var content = Content(.message, uuid: "q", operator: Operator(name: "Ann"), text: "one\ntwo")
        #expect(ChatQuoteItem(ChatScreenQuote(content), texts).text == "one two")
        #expect(ChatQuoteItem(ChatScreenQuote(content), texts).author == "\u{2068}Ann\u{2069}")
        content.operator = nil
        #expect(ChatQuoteItem(ChatScreenQuote(content), texts).author == "message.you")
        content.text = nil
        content.attachments = [Attachment(id: "1"), Attachment(id: "2")]
        #expect(ChatQuoteItem(ChatScreenQuote(content), texts).text == "message.files=2")
        let many = ChatScreenMessage.sample { $0.quoted = Array(repeating: "x", count: 50) }
        #expect(bubble(many).quotes.count == ChatQuoteItem.most)
    }

    @Test func linksAndButtonsOpenOnlyWebAddresses() {
        #expect(ChatLinkItem("https://a.example/")?.path.isEmpty == true)
        #expect(ChatLinkItem("https://a.example/x")?.host == "a.example")
        #expect(ChatLinkItem("javascript:alert(1)") == nil)
        let button = ChatScreenMessage.Button(text: "Go\n", url: "javascript:alert(1)")
        #expect(ChatQuickReply(button, at: 0).url == nil)
        #expect(ChatQuickReply(button, at: 0).title == "Go")
    }

    @Test func transcripts() {
        #expect(texts.transcript(.init(status: "SUCCESS", text: "hello")) == "hello")
        #expect(texts.transcript(.init(status: "processing", text: nil)) == "message.voice_transcript_pending")
        #expect(texts.transcript(.init(status: "ERROR", text: nil)) == "message.voice_transcript_failed")
        #expect(texts.transcript(.init(status: nil, text: nil)) == nil)
    }
}

/// Tests the lines about the dialog, the title and the days.
@Suite struct ChatNoticeTextTests {
    let texts = ChatUITexts.keys()

    func notice(_ notice: ChatNotice?, _ text: String? = nil) -> String {
        texts.notice(.sample("n", .system, text, kind: .notice, notice: notice))
    }

    @Test func operatorsJoinAndLeaveInTheirGender() {
        let name = "\u{2068}Ann\u{2069} "
        #expect(notice(.operatorJoined(.sample(gender: .female))) == name + "message.system.join_chat_female")
        #expect(notice(.operatorJoined(.sample(gender: .male))) == name + "message.system.join_chat_male")
        #expect(notice(.operatorLeft(.sample())) == name + "message.system.leave_chat_unknown")
        #expect(notice(.operatorLeft(nil), "gone") == "gone")
    }

    @Test func otherLinesKeepTheServersWords() {
        #expect(notice(.threadClosed, "closed") == "closed")
        #expect(notice(.lookingForOperator) == "chat.title.waiting_for_specialist")
        #expect(notice(.lookingForOperator, "wait") == "wait")
        #expect(notice(nil).isEmpty)
    }

    @Test func titles() {
        #expect(texts.title(.connecting) == "chat.title.connecting")
        #expect(texts.title(.working(.sample())) == "\u{2068}Ann\u{2069} chat.title.working")
        #expect(texts.title(.typing(nil)) == "operator.operator chat.title.typing")
        #expect(texts.title(.typing("Bob")) == "\u{2068}Bob\u{2069} chat.title.typing")
    }

    @Test func days() {
        #expect(texts.day(start, now: start) == "date.today")
        #expect(texts.day(start - day, now: start) == "date.yesterday")
        #expect(texts.day(start - 2 * day, now: start) == "November 12, 2023")
        #expect(texts.day(start + day, now: start) == "November 15, 2023")
    }
}
