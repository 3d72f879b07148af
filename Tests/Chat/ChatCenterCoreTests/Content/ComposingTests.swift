import ChatCenterCore
import ChatWire
import Testing

/// Tests the input field, quotes, quick replies and mass mailings.
@Suite struct ComposingTests {
    func chat() -> Chat {
        var chat = Chat()
        chat.authorize()
        chat.open()
        return chat
    }

    func messages(_ chat: Chat) -> [Content] { chat.frames { $0.body == .message } }

    // MARK: The field

    @Test func theTextIsLimitedToFourThousandCharactersAndCounted() {
        var chat = chat()
        chat.handle(.typed("Hello"))
        #expect(chat.screen.input.text == "Hello")
        #expect(chat.screen.input.remaining == 3995)
        #expect(!chat.screen.input.isCut)
        // Characters are counted as a person counts them.
        let flags = String(repeating: "🇩🇪", count: 4000)
        chat.handle(.typed(flags))
        #expect(!chat.screen.input.isCut)
        #expect(chat.screen.input.remaining == 0)
        chat.handle(.typed(flags + "!"))
        #expect(chat.screen.input.isCut)
        #expect(chat.screen.input.text == flags)
        chat.send(chat.screen.input.text, "a-1")
        #expect(chat.own("a-1") == .sent)
        #expect(chat.screen.input.text.isEmpty)
        chat.handle(.send(Ticket(77), MessageID("a-2"), OutgoingMessage(text: flags + "!")))
        #expect(
            chat.effects.contains(.acknowledge(Ticket(77), .failure(.tooLong(limit: 4000)))))
    }

    @Test func aPrefillIsInTheFieldAndIsTruncatedToo() {
        var chat = Chat()
        chat.authorize()
        chat.handle(.prefill(String(repeating: "x", count: 5000)))
        chat.open()
        #expect(chat.screen.input.text.count == 4000)
        #expect(chat.screen.input.prefill?.count == 4000)
        chat.close()
        chat.open(2)
        #expect(chat.screen.input.text.isEmpty)
    }

    // MARK: Quotes

    @Test func aMessageCanBeQuotedOnce() {
        var chat = chat()
        chat.push(chat.server.says("Yes?", uuid: "o-1"))
        chat.handle(.quote(MessageID("o-1")))
        #expect(chat.screen.input.quote?.text == "Yes?")
        #expect(chat.screen.input.quote?.author?.name == "Eva")
        chat.send("I mean this", "a-1")
        #expect(messages(chat).last?.quotes.map(\.uuid) == ["o-1"])
        #expect(chat.screen.input.quote == nil)
        #expect(chat.message("a-1")?.quotes.first?.text == "Yes?")
        #expect(chat.message("a-1")?.quoted == ["Yes?"])
        chat.send("and that", "a-2")
        #expect(messages(chat).last?.quotes.isEmpty == true)
    }

    @Test func aQuoteCanBeRemovedAndQuotesAreNotNested() {
        var chat = chat()
        var content = chat.server.says("second", uuid: "o-2")
        content.quotes = [Content(.message, uuid: "o-1", text: "first")]
        chat.push(content)
        chat.handle(.quote(MessageID("o-2")))
        chat.handle(.quote(nil))
        #expect(chat.screen.input.quote == nil)
        chat.handle(.quote(MessageID("o-2")))
        chat.send("x", "a-1")
        #expect(messages(chat).last?.quotes.first?.quotes.isEmpty == true)
    }

    @Test func onlyMessagesOnTheServerCanBeQuoted() {
        var chat = chat()
        chat.server.silence = .message
        chat.send("pending", "a-1")
        chat.push(
            chat.server.says("gone", uuid: "o-1"), Content(.messageDeleted, uuid: "o-1"),
            Content(.threadOpened, uuid: "t"))
        for id in ["a-1", "o-1", "t", "nobody"] {
            chat.handle(.quote(MessageID(id)))
            #expect(chat.screen.input.quote == nil, "\(id)")
        }
    }

    // MARK: Mass mailings

    @Test func theNextMessageBelongsToTheMailing() {
        var chat = Chat()
        chat.authorize()
        chat.handle(.getChat(ScreenID(1)))
        chat.handle(.campaign(Campaign(id: "mail-7", text: "A new card")))
        chat.handle(.screenAppeared(ScreenID(1)))
        #expect(chat.screen.input.quote?.isCampaign == true)
        #expect(chat.screen.input.quote?.text == "A new card")
        chat.send("Tell me more", "a-1")
        let quote = messages(chat).last?.quotes.first
        #expect(quote?.uuid == "mail-7")
        #expect(quote?.massPushMessage == true)
        chat.send("And then?", "a-2")
        #expect(messages(chat).last?.quotes.isEmpty == true)
    }

    @Test func theNextScreenDropsAnUnansweredMailing() {
        var chat = chat()
        chat.handle(.campaign(Campaign(id: "mail-7", text: nil)))
        chat.close()
        chat.open(2)
        #expect(chat.screen.input.quote == nil)
    }

    @Test func notificationsAreClassified() throws {
        func campaign(_ text: String) throws -> Campaign? {
            Campaign(notification: try JSONValue(parsing: text).objectValue ?? [:])
        }
        #expect(
            try campaign(#"{"massPushMessage":"true","uuid":"u","text":"t"}"#) == Campaign(id: "u", text: "t"))
        #expect(
            try campaign(#"{"type":"MASS_PUSH","messageId":7,"aps":{"alert":{"body":"b"}}}"#)
                == Campaign(id: "7", text: "b"))
        #expect(
            try campaign(#"{"massPushMessage":true,"uuid":"u","aps":{"alert":"a"}}"#) == Campaign(id: "u", text: "a"))
        #expect(
            try campaign(#"{"campaign":{"id":5},"chatMessageId":"m","text":"t"}"#) == Campaign(id: "m", text: "t"))
        #expect(try campaign(#"{"campaign":"sale"}"#) == Campaign(id: "sale", text: nil))
        for ordinary in [
            #"{"campaign":""}"#, #"{"campaign":{}}"#, #"{"campaign":true,"uuid":"u"}"#, #"{"uuid":"u","text":"t"}"#,
            #"{"massPushMessage":true}"#, #"{"massPushMessage":true,"uuid":""}"#, "{}",
        ] {
            #expect(try campaign(ordinary) == nil)
        }
    }

    // MARK: Quick replies

    func bot(_ uuid: String, _ replies: QuickReply...) -> Content {
        Content(
            .message, uuid: uuid, operator: Operator(name: "Bot", role: .bot), text: "Which?", quickReplies: replies)
    }

    @Test func buttonsAreUnderTheLastMessageUntilItIsAnswered() {
        var chat = chat()
        chat.push(
            bot("q-1", QuickReply(text: "Old")),
            bot("q-2", QuickReply(id: "7", text: "Yes", url: "https://x", payload: "p")))
        #expect(chat.message("q-1")?.buttons.isEmpty == true)
        let buttons = chat.message("q-2")?.buttons ?? []
        #expect(buttons.map(\.text) == ["Yes"] && buttons.map(\.url) == ["https://x"])
        #expect(buttons.map(\.id) == ["7"] && buttons.map(\.payload) == ["p"])
        chat.push(Content(.threadInProgress, uuid: "t"))
        #expect(chat.message("q-2")?.buttons.count == 1, "a system line is not an answer")
        chat.send("Yes", "a-1")
        #expect(chat.message("q-2")?.buttons.isEmpty == true)
        chat.push(chat.server.says("Fine", uuid: "o-1"))
        #expect(chat.message("q-2")?.buttons.isEmpty == true)
    }

    @Test func aFailedAnswerDoesNotCount() throws {
        var chat = chat()
        chat.push(bot("q-1", QuickReply(text: "Yes")))
        chat.server.refusesMessage = ErrorAnswer("NO")
        chat.send("Yes", "a-1")
        #expect(chat.message("q-1")?.buttons.count == 1)
    }

    @Test func thePressedButtonIsSentWithItsPayload() throws {
        var chat = chat()
        chat.push(bot("q-1", QuickReply(id: "7", text: "Yes", payload: "p")))
        let button = try #require(chat.message("q-1")?.buttons.first)
        chat.handle(.send(Ticket(5), MessageID("a-1"), OutgoingMessage(pressing: button)))
        let sent = messages(chat).last
        #expect(sent?.text == "Yes")
        #expect(sent?.quickReplies == [QuickReply(id: "7", text: "Yes", payload: "p")])
        #expect(chat.message("a-1")?.buttons.isEmpty == true, "an own message has no buttons")
    }
}
