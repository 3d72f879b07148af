import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the input field: its text, the quote above it, and when drafts are sent.
@Suite struct ComposerTests {
    static let now = Moment(monotonic: 0, wall: 0)
    static let soon = Moment(monotonic: 999_000_000, wall: 999)
    static let later = Moment(monotonic: 1_000_000_000, wall: 1000)

    func window(_ state: MessageState, _ body: ContentBody = .message) -> MessageWindow {
        var window = MessageWindow()
        window.save(
            StoredMessage(
                id: MessageID("m"), content: Content(body, uuid: "m", text: "Yes?"),
                position: MessagePosition(time: 0, sequence: 1), state: state))
        return window
    }

    @Test func aDraftIsSentAtMostOncePerInterval() {
        var composer = Composer()
        composer.typed("a", isTold: true)
        #expect(
            composer.tellDraft(at: Self.now, interval: 1000) == [
                .say(.typing(draft: "a", operatorName: nil), for: .courtesy)
            ])
        #expect(composer.wake == nil)
        composer.typed("ab", isTold: true)
        composer.typed("abc", isTold: true)
        #expect(composer.wake == Self.later.monotonic)
        #expect(composer.tellDraft(at: Self.soon, interval: 1000).isEmpty)
        #expect(
            composer.tellDraft(at: Self.later, interval: 1000) == [
                .say(.typing(draft: "abc", operatorName: nil), for: .courtesy)
            ], "the newest draft is sent")
        #expect(composer.tellDraft(at: Self.later, interval: 0).isEmpty)
    }

    @Test func aDraftThatCannotBeSentIsDropped() {
        var composer = Composer()
        composer.typed("a", isTold: false)
        #expect(composer.text == "a")
        #expect(composer.wake == nil)
        composer.typed("", isTold: true)
        #expect(composer.wake == nil, "an empty field is not a draft")
        composer.typed("b", isTold: true)
        composer.dropDraft()
        #expect(composer.tellDraft(at: Self.now, interval: 1000).isEmpty)
        #expect(composer.text == "b")
    }

    @Test func thePrefillIsForTheNextScreen() {
        var composer = Composer()
        composer.prefillNextScreen("Hello")
        #expect(composer.text.isEmpty)
        composer.beginScreen()
        #expect(composer.text == "Hello")
        #expect(composer.prefill == "Hello")
        composer.typed("Hello!", isTold: false)
        #expect(composer.prefill == nil)
        composer.screenDisappeared()
        composer.beginScreen()
        #expect(composer.text == "Hello!", "the changed text is a draft")
        composer.typed("", isTold: false)
        #expect(composer == Composer())
    }

    @Test func theTextIsTruncated() {
        var composer = Composer()
        composer.typed(String(repeating: "x", count: OutgoingMessage.longestText + 1), isTold: false)
        #expect(composer.text.count == OutgoingMessage.longestText)
        #expect(composer.isCut)
    }

    @Test func onlyAMessageOnTheServerCanBeQuoted() {
        var composer = Composer()
        let refused = [CoreAction.log(.info, "only a message that is on the server can be quoted")]
        let entry = OutboxEntry(sequence: 1, expires: Self.later.after(milliseconds: 0))
        #expect(composer.quote(MessageID("m"), in: MessageWindow()) == refused)
        #expect(composer.quote(MessageID("m"), in: window(.own(.queued(entry, deadline: nil)))) == refused)
        #expect(composer.quote(MessageID("m"), in: window(.received(.read), .closeThread)) == refused)
        #expect(composer.quote(MessageID("m"), in: window(.received(.read))).isEmpty)
        #expect(composer.quote?.text == "Yes?")
        #expect(composer.sent()?.text == "Yes?")
        #expect(composer == Composer(), "the next message has no quote")
        composer.bind(to: Campaign(id: "mailing", text: "News"))
        #expect(composer.quote?.massPushMessage == true)
        #expect(composer.quote(nil, in: MessageWindow()).isEmpty)
        #expect(composer.sent() == nil)
    }

    @Test func theOtherSideStopsTypingAfterTwoIntervals() {
        var typing = TypingIndicator()
        typing.heard("Eva", at: Self.now, interval: 500)
        #expect(typing.isOn)
        typing.expire(at: Self.soon)
        #expect(typing.name == "Eva")
        typing.expire(at: Self.later)
        #expect(typing == TypingIndicator())
        typing.heard(nil, at: Self.now, interval: 500)
        typing.stop()
        #expect(!typing.isOn)
    }
}
