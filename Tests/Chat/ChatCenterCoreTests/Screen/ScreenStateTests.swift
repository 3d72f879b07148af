import ChatCenterCore
import ChatWire
import Testing

/// Tests sections, scrolling, actions and banners.
@Suite struct ScreenStateTests {
    func chat(_ settings: ChatSettings = ChatSettings(providerUID: "p")) -> Chat {
        var chat = Chat(settings)
        chat.authorize()
        chat.open()
        return chat
    }

    @Test func rowsAreGroupedByTheUsersDay() {
        var chat = Chat()
        let times = [
            "2025-03-06T20:59:59.999Z", "2025-03-06T21:00:00.000Z", "2025-03-06T23:59:59.999Z",
            "2025-03-07T00:00:00.000Z", "1969-12-31T23:59:59.999Z",
        ]
        chat.server.history = times.sorted().enumerated().map { number, time in
            Content(
                .message, uuid: "\(number)", operator: Operator(), text: time, receivedDate: WireTime.milliseconds(time)
            )
        }
        chat.authorize()
        #expect(chat.screen.sections().map(\.messages.count) == [1, 3, 1])
        #expect(chat.screen.sections(secondsFromGMT: 3 * 3600).map(\.messages.count) == [1, 1, 3])
        #expect(chat.screen.sections().map(\.id) == [-1, 20_153, 20_154])
        #expect(chat.screen.sections(secondsFromGMT: .max).flatMap(\.messages) == chat.screen.messages)
    }

    // MARK: Scrolling

    @Test func theScreenScrollsToNewMessagesAndToTheLatestOnReturn() {
        var chat = chat()
        chat.push(chat.server.says("1", uuid: "o-1"))
        let first = chat.screen.scroll
        #expect(first.target == MessageID("o-1"))
        chat.push(chat.server.says("2", uuid: "o-2"))
        #expect(chat.screen.scroll.number == first.number + 1)
        #expect(chat.screen.scroll.target == MessageID("o-2"))
        chat.handle(.loadOlder)
        chat.push(Content(.messageEdited, uuid: "o-1", text: "x"))
        #expect(chat.screen.scroll.number == first.number + 1, "older messages and edits do not scroll the view")
        chat.close()
        let before = chat.screen.scroll.number
        chat.handle(.screenAppeared(ScreenID(1)))
        #expect(chat.screen.scroll.number > before)
    }

    @Test func withScrollToLatestOffOnlyOwnMessagesScroll() {
        var local = ChatLocalSettings.standard
        local.scrollToLatest = false
        var chat = chat(ChatSettings(providerUID: "p", local: local))
        let before = chat.screen.scroll.number
        chat.push(chat.server.says("1", uuid: "o-1"))
        chat.close()
        chat.handle(.screenAppeared(ScreenID(1)))
        #expect(chat.screen.scroll.number == before)
        #expect(!chat.screen.scrollsToLatest)
        chat.send("Hi", "a-1")
        #expect(chat.screen.scroll.target == MessageID("a-1"))
    }

    // MARK: Failed messages

    @Test func aFailedMessageCanBeSentAgainOrDiscarded() {
        var chat = chat()
        chat.server.refusesMessage = ErrorAnswer("NO", details: "because")
        chat.send("Hi", "a-1")
        #expect(chat.own("a-1") == .failed(.refused(ServerRefusal(code: "NO", details: "because"))))
        #expect(chat.message("a-1")?.actions == [.retry, .delete])
        chat.handle(.resend(MessageID("a-1")))
        #expect(chat.own("a-1") == .sent)
        #expect(chat.message("a-1")?.actions == [])
        chat.close()
        chat.send("Later", "a-2")
        #expect(chat.message("a-2")?.actions == [.delete])
        chat.handle(.discard(MessageID("a-2")))
        #expect(chat.message("a-2") == nil)
    }

    // MARK: Banners

    @Test func theReasonOfALostConnectionIsShownUntilTheNextOne() {
        var chat = chat()
        chat.server.silence = .upgrade
        let cause = DisconnectCause.transport(
            TransportFailure(
                .trust, trust: TrustFailureSummary(code: "pinMismatch", reason: "no pin fits"), errorID: 42))
        guard let generation = chat.core.liveGeneration else { return }
        chat.handle(.network(.socketClosed(generation, cause)))
        #expect(chat.screen.banners == [.connectionLost(cause)])
        chat.handle(.network(.pathChanged(hasRoute: true)))
        chat.advance(milliseconds: 5000)
        #expect(chat.screen.banners.contains(.connectionLost(cause)), "also during the next attempt")
        chat.server.silence = []
        chat.advance(milliseconds: 120_000)
        #expect(chat.state == .ready)
        #expect(chat.screen.banners.isEmpty)
    }

    @Test func theTextOfAnUnreadableAnswerIsShown() {
        var chat = Chat()
        chat.isLive = false
        chat.authorize()
        while let command = chat.takeCommand() {
            guard case .call(let id, let call) = command, case .configuration = call.request else { continue }
            let answer = RESTAnswer(to: call.request, status: 200, body: Array("[1]".utf8))
            chat.handle(.network(.answered(id, .success(answer))))
        }
        guard case .configurationFailed(let failure) = chat.screen.banners.first else {
            Issue.record("\(chat.screen.banners)")
            return
        }
        #expect(failure.kind == .malformedAnswer)
        #expect(failure.explanation == "configuration: not a JSON object")
    }

    // MARK: Revisions

    @Test func theRevisionChangesOnlyWithTheRows() {
        var chat = chat()
        chat.push(chat.server.says("1", uuid: "o-1"))
        let before = chat.screen
        chat.handle(.typed("H"))
        #expect(chat.screen.revision == before.revision)
        #expect(chat.screen != before)
        chat.push(chat.server.says("2", uuid: "o-2"))
        #expect(chat.screen.revision > before.revision)
        #expect(chat.screen.message(MessageID("o-2")) == chat.screen.messages.last)
    }
}
