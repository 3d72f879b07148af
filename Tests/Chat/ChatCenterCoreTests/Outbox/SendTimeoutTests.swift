import ChatCenterCore
import ChatWire
import Testing

/// Tests both modes of `sendTimeout` with a controlled clock.
@Suite struct SendTimeoutTests {
    /// Returns a chat whose server accepts messages without answering them, but answers probes. History calls fail too,
    /// so that the tests only depend on time.
    func unanswered(
        _ mode: SendTimeoutMode, timeout: Int64 = 20_000, dialog: Bool = true
    ) -> Chat {
        var chat = Chat(ChatSettings(providerUID: "p", sendTimeout: timeout, sendTimeoutMode: mode))
        chat.authorize()
        chat.open()
        if dialog { chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1")) }
        chat.server.silence = [.message, .history]
        return chat
    }

    /// Returns a chat with a message that was written to a socket which then broke. No other socket opens.
    func handedOver(_ settings: ChatSettings) -> Chat {
        var chat = Chat(settings)
        chat.authorize()
        chat.open()
        chat.isLive = false
        chat.send("Hi", "a-1")
        chat.dropFrames()
        chat.isLive = true
        chat.server.silence = .upgrade
        chat.breakLink()
        return chat
    }

    // MARK: deadline

    @Test(
        "sendTimeout starts when the frame is written to a live socket",
        arguments: [Int64(20_000), 1000, 60_000])
    func theDeadlineIsSendTimeoutAfterTheFrameWasSent(_ timeout: Int64) {
        var chat = unanswered(.deadline, timeout: timeout, dialog: false)
        chat.advance(milliseconds: 777)
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: timeout - 1)
        #expect(chat.own("a-1") == .sending)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test func theNextMessageHasItsOwnDeadline() {
        var chat = unanswered(.deadline)
        chat.send("1", "a-1")
        chat.send("2", "a-2")
        chat.advance(milliseconds: 20_000)
        #expect(chat.own("a-1") == .failed(.timedOut))
        #expect(chat.own("a-2") == .sending)
        chat.advance(milliseconds: 19_999)
        #expect(chat.own("a-2") == .sending)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-2") == .failed(.timedOut))
    }

    @Test func anAttemptOnAnotherSocketDoesNotExtendTheDeadline() {
        var chat = unanswered(.deadline)
        chat.isLive = false
        chat.send("Hi", "a-1")
        chat.dropCommands()
        chat.isLive = true
        // The link breaks before a ping could show that the frame was lost.
        chat.advance(milliseconds: 2000)
        chat.server.silence = .message
        chat.breakLink()
        #expect(chat.server.frames["a-1"] == 1, "sent again on the second socket")
        chat.server.silence = [.message, .history]
        chat.advance(milliseconds: 17_999)
        #expect(chat.own("a-1") == .sending)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test("no timer runs in the background, the wall clock is checked in the foreground")
    func inTheBackgroundNoTimerRunsAndOnForegroundTheWallClockDecides() {
        var chat = unanswered(.deadline)
        chat.send("Hi", "a-1")
        chat.handle(.enteredBackground)
        #expect(chat.core.nextWake == chat.core.backgroundDeadline)
        chat.advance(milliseconds: 5000)
        #expect(chat.core.nextWake == nil)
        chat.advance(milliseconds: 55_000)
        #expect(chat.own("a-1") == .sending)
        chat.server.silence = .everything
        chat.handle(.enteredForeground)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test func aWallClockThatIncludesSleepDecidesOnForeground() {
        var chat = unanswered(.deadline)
        chat.send("Hi", "a-1")
        chat.handle(.enteredBackground)
        // The monotonic clock stood still.
        chat.now.wall += 20_000
        chat.server.silence = .everything
        chat.handle(.enteredForeground)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test("the stored deadline is checked after a restart") func theDeadlineIsJudgedAfterARestart() {
        for (passed, state) in [(Int64(20_000), ChatMessageState.failed(.timedOut)), (19_000, .sending)] {
            var chat = unanswered(.deadline)
            chat.send("Hi", "a-1")
            chat.restart()
            chat.now.wall += passed
            chat.server.silence = .everything
            chat.authorize()
            #expect(chat.own("a-1") == state)
            chat.advance(milliseconds: 999)
            #expect(chat.own("a-1") == state)
            chat.advance(milliseconds: 1)
            #expect(chat.own("a-1") == .failed(.timedOut))
        }
    }

    @Test func aClockThatWentBackDoesNotKeepAMessageForever() {
        var chat = unanswered(.deadline)
        chat.send("Hi", "a-1")
        chat.restart()
        chat.now.wall -= 10 * 86_400_000
        chat.server.silence = .everything
        chat.authorize()
        chat.advance(milliseconds: 20_000)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    // MARK: documentedTimer

    @Test func theTimerChecksEverySendTimeoutAndFailsOlderMessages() {
        var chat = unanswered(.documentedTimer)
        chat.advance(milliseconds: 5000)
        chat.send("Hi", "a-1")
        // At 20 s the message is 15 s old; at 40 s it is 35 s old.
        chat.advance(milliseconds: 34_999)
        #expect(chat.own("a-1") == .sending)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test(
        "with the documented timer, a message fails within 2 × sendTimeout",
        arguments: stride(from: Int64(0), through: 20_000, by: 1000).map { $0 })
    func messagesFailWithinTwiceTheSendTimeout(_ offset: Int64) {
        var chat = unanswered(.documentedTimer)
        chat.advance(milliseconds: offset)
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: 19_999)
        #expect(chat.own("a-1") == .sending)
        chat.advance(milliseconds: 20_001)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test("the documented timer runs only with screen, foreground and dialog")
    func theTimerRunsOnlyWithScreenForegroundAndDialog() {
        var noDialog = unanswered(.documentedTimer, dialog: false)
        noDialog.send("Hi", "a-1")
        noDialog.advance(milliseconds: 100_000)
        #expect(noDialog.own("a-1") == .sending)

        var ended = unanswered(.documentedTimer)
        ended.send("Hi", "a-1")
        ended.push(Content(.threadClosed, threadID: 1, uuid: "t-2"))
        ended.advance(milliseconds: 100_000)
        #expect(ended.own("a-1") == .sending)

        var left = unanswered(.documentedTimer)
        left.send("Hi", "a-1")
        left.server.silence = .everything
        left.close()
        left.advance(milliseconds: 100_000)
        #expect(left.own("a-1") == .sending)

        var away = unanswered(.documentedTimer)
        away.send("Hi", "a-1")
        away.server.silence = .everything
        away.handle(.enteredBackground)
        away.advance(milliseconds: 5000)
        #expect(away.core.nextWake == nil)
        away.advance(milliseconds: 100_000)
        away.handle(.enteredForeground)
        #expect(away.own("a-1") == .sending)
        away.advance(milliseconds: 19_999)
        #expect(away.own("a-1") == .sending, "the period starts again")
        away.advance(milliseconds: 1)
        #expect(away.own("a-1") == .failed(.timedOut))
    }

    @Test(arguments: [Int64.min, 0, 1, .max])
    func aTooLongTimeoutIsClamped(_ timeout: Int64) throws {
        for mode in SendTimeoutMode.allCases {
            var chat = Chat(
                ChatSettings(
                    providerUID: "p", unreadMessageCountDelay: timeout, connectionTimeout: timeout,
                    sendTimeout: timeout, sendTimeoutMode: mode, queuedMaximumAge: timeout))
            chat.authorize()
            chat.open()
            chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1"))
            chat.server.silence = .message
            chat.send("Hi", "a-1")
            for _ in 0..<20 {
                guard let wake = chat.core.nextWake else { break }
                #expect(wake > chat.now.monotonic, "\(mode)")
                chat.advance(milliseconds: (wake - chat.now.monotonic) / 1_000_000)
            }
        }
    }

    @Test("an error from the server fails the message at once", arguments: SendTimeoutMode.allCases)
    func anErrorOfTheServerBypassesBoth(_ mode: SendTimeoutMode) {
        var chat = unanswered(mode)
        chat.server.silence = []
        chat.server.refusesMessage = ErrorAnswer("NO")
        chat.send("Hi", "a-1")
        #expect(chat.own("a-1") == .failed(.refused(ServerRefusal(code: "NO"))))
    }

    /// A timed-out message is checked in the history at once, so that the user does not resend a message that arrived.
    @Test func aTimedOutMessageThatArrivedBecomesSent() {
        var chat = Chat()
        // With another attempt left, it would be checked earlier.
        chat.server.configuration.settings?.messageRetryCount = 0
        chat.authorize()
        chat.open()
        chat.server.silence = .message
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: 20_000)
        #expect(chat.server.accepted == ["a-1"])
        #expect(chat.notices.contains(.message(MessageID("a-1"), .failed(.timedOut))))
        #expect(chat.own("a-1") == .sent)
    }

    /// The history is loaded before the server reads the frame, so the message is queued again. If it fails there, it
    /// is still checked in the history.
    @Test func aMessageGivenToASocketMayHaveArrivedEvenIfItWaitsAgain() {
        var chat = handedOver(ChatSettings(providerUID: "p"))
        #expect(chat.own("a-1") == .queued)
        chat.advance(milliseconds: 19_999)
        #expect(chat.own("a-1") == .queued)
        for case .sendMessage(let content, _) in chat.sentFrames.map(\.body) where content.uuid == "a-1" {
            chat.server.accept(content)
        }
        chat.advance(milliseconds: 1)
        #expect(chat.notices.contains(.message(MessageID("a-1"), .failed(.timedOut))))
        #expect(chat.own("a-1") == .sent)
    }

    // MARK: documentedTimer, where it does not run

    @Test("a message that the documented timer does not check is checked after 2 × sendTimeout")
    func lookedUp() {
        var chat = unanswered(.documentedTimer, dialog: false)
        // The server answers no ping, so nothing reveals earlier that the frame was lost.
        chat.server.silence = [.pong, .statuses]
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        chat.send("2", "a-2")
        chat.server.losesMessages = false
        // Other frames from the server keep the socket alive and do not concern the message.
        for number in 1..<20 {
            chat.advance(milliseconds: 2000)
            chat.push(chat.server.says("\(number)", uuid: "o-\(number)"))
        }
        chat.advance(milliseconds: 1999)
        #expect(chat.own("a-2") == .queued)
        chat.advance(milliseconds: 1)
        #expect(chat.server.accepted == ["a-1", "a-2"])
        #expect(chat.own("a-1") == .sent)
        #expect(chat.own("a-2") == .sent)
    }

    @Test("if the server never accepts a message, it fails after messageRetryCount attempts")
    func lookedUpWithoutResult() {
        var chat = unanswered(.documentedTimer, dialog: false)
        chat.server.silence = []
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        chat.advance(milliseconds: 600_000)
        guard case .failed(.lost(let tries)) = chat.own("a-1") else {
            Issue.record("\(String(describing: chat.own("a-1")))")
            return
        }
        #expect(chat.sentFrames.count { $0.isMessage("a-1") } == tries)
    }

    @Test("with the documented timer, queuedMaximumAge also applies after an attempt")
    func expires() {
        var chat = handedOver(
            ChatSettings(providerUID: "p", sendTimeoutMode: .documentedTimer, queuedMaximumAge: 3_600_000))
        chat.advance(milliseconds: 3_599_999)
        #expect(chat.own("a-1") == .queued)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.expired))
    }
}

extension ClientFrame {
    fileprivate func isMessage(_ id: String) -> Bool {
        if case .sendMessage(let content, _) = body { content.uuid == id } else { false }
    }
}
