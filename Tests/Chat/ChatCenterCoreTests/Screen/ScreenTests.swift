import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests the state of the screen.
@Suite struct ScreenTests {
    func published(_ chat: Chat) -> [ChatScreenState] {
        chat.effects.compactMap { if case .publish(let state) = $0 { state } else { nil } }
    }

    @Test func theLastPublishedStateIsTheScreen() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.send("Hi", "a-1")
        chat.push(chat.server.says("Yes?", uuid: "o-1"))
        #expect(published(chat).last == chat.screen)
        chat.forgetEffects()
        chat.handle(.wake)
        #expect(published(chat).isEmpty, "an unchanged state is not published")
    }

    @Test func theTitleFollowsTheDialog() throws {
        var chat = Chat()
        chat.authorize()
        chat.server.silence = .upgrade
        chat.open()
        #expect(chat.screen.title == .connecting)
        chat.server.silence = []
        chat.handle(.network(.pathChanged(hasRoute: true)))
        chat.handle(.network(.socketOpened(Generation(1))))
        #expect(chat.screen.title == .opened)
        chat.push(Content(.threadEnqueued, uuid: "t-1"))
        #expect(chat.screen.title == .waiting)
        let eva = Operator(id: "1", name: "Eva K.", alias: "Eva", role: .operator)
        chat.push(Content(.operatorJoined, uuid: "t-2", operator: eva, text: "Eva joined"))
        guard case .working(let other) = chat.screen.title else {
            Issue.record("\(chat.screen.title)")
            return
        }
        #expect(other.name == "Eva")
        chat.push(Content(.typing(draft: nil, operatorName: nil), operator: eva))
        #expect(chat.screen.title == .typing("Eva K."))
        chat.advance(milliseconds: 6000)
        #expect(chat.screen.title == .working(other), "typing ends automatically")
        chat.push(Content(.threadClosed, uuid: "t-3"))
        #expect(chat.screen.title == .opened)
        #expect(chat.screen.messages.contains { $0.text == "Eva joined" && $0.author == .system })
    }

    @Test func theCurrentOperatorIsKnownAfterARestart() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.push(Content(.operatorJoined, uuid: "t-2", operator: Operator(name: "Eva", role: .operator)))
        chat.restart()
        chat.authorize()
        chat.open(2)
        guard case .working(let other) = chat.screen.title else {
            Issue.record("\(chat.screen.title)")
            return
        }
        #expect(other.name == "Eva")
    }

    @Test func anOldPageOfTheHistoryDoesNotChangeThePresent() {
        var chat = Chat()
        for number in 0..<40 {
            if number == 2 { chat.server.accept(Content(.clientBlocked, uuid: "b", text: "long ago")) }
            if number == 3 { chat.server.accept(Content(.clientUnblocked, uuid: "u")) }
            if number == 4 { chat.server.accept(Content(.threadOpened, uuid: "t")) }
            _ = chat.server.says("\(number)", uuid: "o-\(number)")
        }
        chat.server.accept(Content(.threadClosed, uuid: "c"))
        chat.authorize()
        let before = chat.screen.input
        chat.handle(.loadOlder)
        #expect(chat.screen.messages.count == 44)
        #expect(chat.screen.input == before)
        #expect(chat.stores.of("ann").contents.dialog.phase == .ended)
    }

    @Test func aPrefillIsUsedByTheNextScreenOnce() {
        var chat = Chat()
        chat.authorize()
        chat.handle(.prefill("first"))
        chat.handle(.prefill("second"))
        chat.open(1)
        #expect(chat.screen.input.prefill == "second")
        chat.handle(.typed("second!"))
        #expect(chat.screen.input.prefill == nil)
        chat.close(1)
        chat.open(2)
        #expect(chat.screen.input.prefill == nil)
        chat.handle(.prefill("third"))
        chat.handle(.prefill(""))
        chat.open(3)
        #expect(chat.screen.input.prefill == nil)
    }

    @Test func onlyTheNewestScreenGetsUpdates() {
        var chat = Chat()
        chat.authorize()
        chat.open(1)
        chat.handle(.getChat(ScreenID(2)))
        #expect(chat.state == .ready, "the socket stays open while screens change")
        chat.handle(.screenAppeared(ScreenID(2)))
        chat.handle(.screenDisappeared(ScreenID(1)))
        #expect(chat.state == .ready)
        chat.handle(.screenAppeared(ScreenID(1)))
        chat.handle(.screenDisappeared(ScreenID(2)))
        #expect(chat.state == .closed(.chatClosed))
    }

    // MARK: Input

    @Test func conditionsThatBlockTheInput() {
        var disabled = Chat(ChatSettings(providerUID: "p", userInputEnabled: false))
        disabled.authorize()
        #expect(disabled.screen.input.blocked == .disabled)

        var chat = Chat()
        chat.authorize()
        chat.open()
        #expect(chat.screen.input.isEnabled)
        chat.push(Content(.clientBlocked, uuid: "b", text: "Blocked"))
        #expect(chat.screen.input.blocked == .clientBlocked("Blocked"))
        chat.push(Content(.clientUnblocked, uuid: "u"))
        #expect(chat.screen.input.isEnabled)
        chat.push(Content(.schedule(Schedule(active: false, sendDuringInactive: false, notification: "At nine"))))
        #expect(chat.screen.input.blocked == .outOfHours("At nine"))
        #expect(chat.screen.banners == [.outOfHours("At nine")])
        chat.push(Content(.schedule(Schedule(active: false, sendDuringInactive: true, notification: "At nine"))))
        #expect(chat.screen.input.isEnabled)
        chat.push(Content(.schedule(Schedule(active: true))))
        #expect(chat.screen.banners.isEmpty)
        chat.push(
            Content(
                .message, uuid: "q", operator: Operator(name: "Bot", role: .bot), text: "Sure?",
                quickReplies: [QuickReply(text: "Yes")], settings: MessageSettings(blockInput: true)))
        #expect(chat.screen.input.blocked == .answerWithButton)
        #expect(chat.message("q")?.buttons.map(\.text) == ["Yes"])
        chat.send("Yes", "a-1")
        #expect(chat.screen.input.isEnabled)
    }

    @Test func aConfigurationThatCannotBeLoadedIsReported() {
        var chat = Chat()
        chat.server.configurationStatus = 500
        chat.authorize()
        let failure = TransportFailure(.refused, status: 500)
        #expect(chat.screen.banners == [.configurationFailed(failure)])
        #expect(chat.screen.input.blocked == .notConfigured)
        chat.server.configurationStatus = nil
        chat.open()
        #expect(chat.screen.banners.isEmpty)
        #expect(chat.screen.input.isEnabled)
        // After a successful load, a later failure does not block the chat.
        chat.restart()
        chat.server.configurationStatus = 500
        chat.authorize()
        #expect(chat.screen.input.isEnabled)
    }

    @Test func anIncompleteConfigurationIsReported() {
        for keyPath in [\ConfigurationAnswer.settings as PartialKeyPath, \ConfigurationAnswer.attachmentSettings] {
            var chat = Chat()
            if keyPath == \ConfigurationAnswer.settings { chat.server.configuration.settings = nil }
            if keyPath == \ConfigurationAnswer.attachmentSettings {
                chat.server.configuration.attachmentSettings = nil
            }
            chat.authorize()
            #expect(chat.screen.banners == [.configurationIncomplete])
            #expect(chat.screen.input.blocked == .notConfigured)
        }
        var chat = Chat()
        chat.server.configuration.schedule = nil
        chat.authorize()
        #expect(chat.screen.input.isEnabled, "without a schedule sending is allowed")
    }

    // MARK: Typing

    /// A socket that reports a logout must not carry the next user's draft, and the draft must not cause repeated
    /// wakes.
    @Test func aDraftDuringAFarewellDoesNotChangeTheTimer() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .offline
        chat.handle(.logout(Ticket(1)))
        chat.authorize()
        chat.handle(.typed("Hello"))
        let wake = chat.core.nextWake
        #expect(wake.map { $0 > chat.now.monotonic } == true)
        #expect(chat.server.drafts.isEmpty)
    }

    @Test func draftsAreSentAtMostOncePerIntervalWithTheNewestText() {
        var chat = Chat()
        chat.server.configuration.settings?.typingMessagesIntervalSeconds = 5
        chat.authorize()
        chat.open()
        for text in ["H", "He", "Hel"] { chat.handle(.typed(text)) }
        #expect(chat.server.drafts == ["H"])
        chat.advance(milliseconds: 4999)
        #expect(chat.server.drafts == ["H"])
        chat.advance(milliseconds: 1)
        #expect(chat.server.drafts == ["H", "Hel"])
        chat.handle(.typed("Hell"))
        chat.send("Hello", "a-1")
        chat.advance(milliseconds: 60_000)
        #expect(chat.server.drafts == ["H", "Hel"], "a sent message is not a draft")
    }

    @Test func withoutASocketNoDraftIsSent() {
        var chat = Chat()
        chat.authorize()
        chat.handle(.typed("secret"))
        chat.open()
        #expect(chat.server.drafts.isEmpty)
    }
}
