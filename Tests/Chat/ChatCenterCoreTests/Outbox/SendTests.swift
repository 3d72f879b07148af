import ChatCenterCore
import ChatWire
import Testing

/// Tests the life of a message after `send`.
@Suite struct SendTests {
    func ready(_ settings: ChatSettings = ChatSettings(providerUID: "p")) -> Chat {
        var chat = Chat(settings)
        chat.authorize()
        chat.open()
        return chat
    }

    func refusal(_ effects: [ChatEffect]) -> SendRefusal? {
        for case .acknowledge(_, .failure(let refusal)) in effects { return refusal }
        return nil
    }

    // MARK: Preconditions

    @Test func preconditions() {
        var nobody = Chat()
        #expect(refusal(nobody.send("Hi", "a-1")) == .notAuthorized)
        var chat = ready()
        #expect(refusal(chat.send("", "a-1")) == .empty)
        #expect(refusal(chat.send(String(repeating: "é", count: 4001), "a-1")) == .tooLong(limit: 4000))
        #expect(refusal(chat.send(String(repeating: "é", count: 4000), "a-1")) == nil)
        #expect(refusal(chat.send(String(repeating: "é", count: 4000), "a-1")) == .duplicate)
        #expect(refusal(chat.send("another text", "a-1")) == .identifierInUse)
    }

    @Test func withoutTheOutboxSendingNeedsALiveSocket() {
        var chat = ready(ChatSettings(providerUID: "p", outboxEnabled: false))
        #expect(refusal(chat.send("Hi", "a-1")) == nil)
        chat.close()
        #expect(refusal(chat.send("Hi", "a-2")) == .socketNotActive)
        #expect(chat.own("a-2") == nil)
    }

    @Test func theQueueHasALimit() {
        var chat = Chat()
        chat.authorize()
        for number in 0..<1000 { chat.send("Hi", "a-\(number)") }
        #expect(refusal(chat.send("Hi", "b")) == .queueFull(limit: 1000))
    }

    // MARK: Order

    @Test func queuedMessagesAreSentInOrderOneAtATime() {
        var chat = Chat()
        chat.authorize()
        for number in 1...5 { chat.send("\(number)", "a-\(number)") }
        #expect(chat.own("a-1") == .queued)
        chat.open()
        #expect(chat.server.accepted == ["a-1", "a-2", "a-3", "a-4", "a-5"])
        #expect((1...5).allSatisfy { chat.own("a-\($0)") == .sent })

        chat.server.silence = .message
        chat.send("6", "a-6")
        chat.send("7", "a-7")
        #expect(chat.server.frames["a-6"] == 1)
        #expect(chat.server.frames["a-7"] == nil, "no message overtakes one without an answer")
    }

    @Test("a failed message leaves the queue, and the next messages are sent")
    func aRefusedMessageFailsAtOnceAndLaterOnesAreSent() {
        var chat = Chat()
        chat.authorize()
        chat.send("1", "a-1")
        chat.send("2", "a-2")
        chat.server.refusesMessage = ErrorAnswer("MESSAGE_BAD", details: "why")
        chat.open()
        #expect(chat.own("a-1") == .failed(.refused(ServerRefusal(code: "MESSAGE_BAD", details: "why"))))
        #expect(chat.own("a-2") == .sent)
        #expect(chat.server.accepted == ["a-2"])
    }

    @Test("a resent message goes to the end of the queue") func aFailedMessageGoesToTheEndWhenItIsSentAgain() {
        var chat = Chat()
        chat.authorize()
        chat.server.refusesMessage = ErrorAnswer("BUSY")
        chat.send("1", "a-1")
        chat.open()
        chat.close()
        chat.send("2", "a-2")
        chat.handle(.resend(MessageID("a-1")))
        chat.open(2)
        #expect(chat.server.accepted == ["a-2", "a-1"])
        #expect(chat.screen.messages.map(\.id.text) == ["a-2", "a-1"])
    }

    @Test func aDiscardedMessageIsDeleted() {
        var chat = Chat()
        chat.authorize()
        chat.send("1", "a-1")
        chat.send("2", "a-2")
        chat.handle(.discard(MessageID("a-1")))
        chat.open()
        #expect(chat.server.accepted == ["a-2"])
        #expect(chat.own("a-1") == nil)
        chat.handle(.discard(MessageID("a-2")))
        #expect(chat.own("a-2") == .sent, "a message that arrived cannot be discarded")
    }

    // MARK: Survey answers

    @Test("surveyCompletionDelay delays a survey answer and no other message")
    func aSurveyAnswerIsDelayedAndDelaysNoOtherMessage() {
        for delay in [0, 1500] {
            var local = ChatLocalSettings.standard
            local.surveyCompletionDelay = delay
            var chat = ready(ChatSettings(providerUID: "p", local: local))
            let answer = SurveyAnswer(questionID: 3, rate: 5)
            chat.handle(.send(Ticket(9), MessageID("s-1"), OutgoingMessage(.surveyQuestionAnswer(answer), text: nil)))
            chat.send("meanwhile", "a-1")
            #expect(chat.server.answers == (delay == 0 ? [answer] : []))
            #expect(chat.server.accepted == ["a-1"])
            #expect(chat.screen.messages.map(\.id.text) == ["a-1"], "an answer has no row")
            chat.advance(milliseconds: 1499)
            #expect(chat.server.answers == (delay == 0 ? [answer] : []))
            chat.advance(milliseconds: 1)
            #expect(chat.server.answers == [answer])
        }
    }

    @Test func aDelayedSurveyAnswerSurvivesARestart() {
        var local = ChatLocalSettings.standard
        local.surveyCompletionDelay = 60_000
        let settings = ChatSettings(providerUID: "p", local: local)
        var chat = ready(settings)
        let answer = SurveyAnswer(questionID: 3, rate: 5)
        chat.handle(.send(Ticket(9), MessageID("s-1"), OutgoingMessage(.surveyQuestionAnswer(answer), text: nil)))
        chat.restart(settings)
        chat.now.wall += 50_000
        chat.authorize()
        chat.open(2)
        chat.advance(milliseconds: 9999)
        #expect(chat.server.answers.isEmpty)
        chat.advance(milliseconds: 1)
        #expect(chat.server.answers == [answer])
    }

    // MARK: Unknown outcome

    @Test func anUnansweredMessageIsLookedUpBeforeItIsSentAgain() {
        for arrived in [true, false] {
            var chat = ready()
            _ = chat.server.says("first", uuid: "o-1")
            chat.isLive = false
            chat.send("Hi", "a-1")
            let commands = chat.commands
            chat.dropCommands()
            if arrived { for command in commands { _ = chat.server.answer(command) } }
            chat.isLive = true
            chat.forgetEffects()
            chat.breakLink()
            #expect(chat.server.accepted == ["a-1"])
            #expect(chat.server.frames["a-1"] == 1, "arrived: \(arrived)")
            #expect(chat.own("a-1") == .sent)
            let history = chat.networkCommands.firstIndex {
                if case .call(_, let call) = $0, case .history = call.request { true } else { false }
            }
            let resent = chat.networkCommands.firstIndex {
                if case .transmit(_, _, let frame) = $0, case .sendMessage(let content, _) = frame.body {
                    content.uuid == "a-1"
                } else {
                    false
                }
            }
            #expect(history != nil)
            if arrived { #expect(resent == nil) } else { #expect((history ?? .max) < (resent ?? 0)) }
        }
    }

    @Test func nothingIsSentWhileAnOutcomeIsUnknown() {
        var chat = ready()
        chat.server.silence = .message
        chat.send("1", "a-1")
        chat.server.silence = []
        chat.server.historyStatus = 503
        chat.send("2", "a-2")
        chat.breakLink()
        #expect(chat.state == .ready)
        #expect(chat.server.accepted == ["a-1"])
        #expect(chat.own("a-1") == .sending)
        #expect(chat.own("a-2") == .queued)
        // The history check is repeated, and then shows that the message arrived.
        chat.server.historyStatus = nil
        chat.advance(milliseconds: 10_000)
        #expect(chat.server.accepted == ["a-1", "a-2"])
        #expect(chat.server.frames["a-1"] == 1)
    }

    @Test func aLookupThatStartedTooEarlyProvesNothing() {
        var chat = ready()
        // A history call is in progress when the message is sent and the link breaks.
        chat.server.silence = [.history, .message]
        chat.handle(.reload)
        let early = chat.networkCommands.reversed().compactMap { command -> CallID? in
            if case .call(let id, _) = command { id } else { nil }
        }.first
        chat.isLive = false
        chat.send("Hi", "a-1")
        let commands = chat.commands
        chat.dropCommands()
        chat.breakLink()
        if let early {
            chat.handle(.network(.answered(early, .success(.history(HistoryAnswer(messages: []))))))
        }
        #expect(chat.own("a-1") == .sending, "the message is not known to be lost")
        for command in commands { _ = chat.server.answer(command) }
        chat.server.silence = []
        chat.isLive = true
        chat.serve()
        #expect(chat.own("a-1") == .sent)
        #expect(chat.server.frames["a-1"] == 1)
    }

    @Test func aTimedOutMessageThatArrivedBecomesSent() {
        var chat = ready()
        chat.server.silence = .message
        chat.send("Hi", "a-1")
        chat.server.silence = [.pong, .upgrade]
        chat.server.historyStatus = 503
        chat.advance(milliseconds: 20_000)
        #expect(chat.own("a-1") == .failed(.timedOut))
        chat.server.historyStatus = nil
        chat.handle(.reload)
        #expect(chat.own("a-1") == .sent)
        #expect(chat.server.frames["a-1"] == 1)
    }

    @Test func sendingAgainLooksUpFirst() {
        var chat = ready()
        chat.server.silence = .message
        chat.server.historyStatus = 503
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: 20_000)
        #expect(chat.own("a-1") == .failed(.timedOut))
        chat.handle(.resend(MessageID("a-1")))
        chat.advance(milliseconds: 10_000)
        #expect(chat.own("a-1") == .sending)
        #expect(chat.server.frames["a-1"] == 1)
        chat.server.historyStatus = nil
        chat.advance(milliseconds: 60_000)
        #expect(chat.own("a-1") == .sent)
        #expect(chat.server.frames["a-1"] == 1)
    }

    @Test func aLateReceiptCounts() throws {
        var chat = ready()
        chat.server.historyStatus = 503
        chat.isLive = false
        chat.send("Hi", "a-1")
        let commands = chat.commands
        chat.dropCommands()
        chat.isLive = true
        chat.advance(milliseconds: 9000)
        chat.handle(.network(.ponged(Generation(1))))
        chat.advance(milliseconds: 11_000)
        #expect(chat.own("a-1") == .failed(.timedOut))
        for command in commands {
            for event in chat.server.answer(command) { chat.handle(.network(event)) }
        }
        #expect(chat.own("a-1") == .sent)
    }

    // MARK: Time

    @Test("sendTimeout does not apply to queued messages") func queuedMessagesDoNotAgeBySendTimeout() {
        var chat = Chat(ChatSettings(providerUID: "p", queuedMaximumAge: 3_600_000))
        chat.authorize()
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: 3_599_999)
        #expect(chat.own("a-1") == .queued)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.expired))
    }

    @Test func anOwnMessageIsSortedByTheServersTime() {
        var chat = Chat()
        chat.authorize()
        // The device's clock is a day behind. A new message is still placed below the existing ones.
        chat.server.clock = chat.now.wall + 86_400_000
        chat.open()
        chat.push(chat.server.says("one", uuid: "o-1"))
        chat.server.silence = .message
        chat.send("two", "a-1")
        #expect(chat.screen.messages.map(\.text) == ["one", "two"])
        // The device's clock is a day ahead. The answer is still placed below the message.
        chat.now.wall += 2 * 86_400_000
        chat.server.silence = []
        chat.advance(milliseconds: 20_001)
        chat.send("three", "a-2")
        chat.push(chat.server.says("four", uuid: "o-2"))
        #expect(chat.screen.messages.map(\.text).suffix(2) == ["three", "four"])
    }
}
