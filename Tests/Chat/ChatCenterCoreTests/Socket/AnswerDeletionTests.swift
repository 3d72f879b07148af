import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests missing answers of the server: when each is detected, to the millisecond, and its visible effects.
@Suite struct AnswerDeletionTests {
    static let timeout: Int64 = 7000

    /// The steps of the handshake, with the answer that the server omits.
    static let steps: [(FakeServer.Silence, HandshakeStep)] = [
        (.upgrade, .upgrade), (.register, .registerDevice), (.clientInfo, .clientInfo),
    ]

    @Test(
        "each step of the handshake has its own WSConfig.connectionTimeout",
        arguments: 0..<3, [Int64(0), 3000, 6999])
    func handshake(_ index: Int, late: Int64) {
        let (silence, step) = Self.steps[index]
        var chat = Chat(ChatSettings(providerUID: "p", connectionTimeout: Self.timeout))
        chat.authorize()
        // Earlier steps take time too, which does not shorten the timeout of this step.
        chat.server.silence = .upgrade
        chat.open()
        if index > 0 {
            chat.advance(milliseconds: late)
            chat.server.silence = silence
            chat.handle(.network(.socketOpened(Generation(1))))
        }
        let begun = chat.now.monotonic
        #expect(chat.core.nextWake == begun + Self.timeout * 1_000_000)
        chat.advance(milliseconds: Self.timeout - 1)
        #expect(chat.core.liveGeneration == Generation(1))
        #expect(chat.screen.banners.isEmpty)
        chat.forgetEffects()
        chat.advance(milliseconds: 1)
        let cause = DisconnectCause.handshakeTimeout(step)
        #expect(chat.networkCommands.contains(.closeSocket(Generation(1), .handshakeTimeout)))
        #expect(chat.notices.contains(.networkProblem(.socket(cause))))
        #expect(chat.screen.banners == [.connectionLost(cause)], "the user sees an error")
        guard case .waitingToReconnect(1, _, cause) = chat.state else {
            Issue.record("\(chat.state)")
            return
        }
    }

    @Test(arguments: 1..<3)
    func aLateAnswerIsIgnored(_ index: Int) {
        var chat = Chat(ChatSettings(providerUID: "p", connectionTimeout: Self.timeout))
        chat.authorize()
        chat.server.silence = Self.steps[index].0
        chat.open()
        let correlation = chat.sentFrames.last?.correlationID
        chat.advance(milliseconds: Self.timeout)
        let before = chat.state
        for body in [
            ServerFrame.Body.registered(deviceAddress: "late"), .receipt(SendReceipt(messageID: "m", sentAt: nil)),
        ] {
            chat.handle(.network(.received(Generation(1), ServerFrame(body, correlationID: correlation))))
        }
        #expect(chat.state == before)
        #expect(chat.stores.of("ann").contents.deviceAddress != "late")
    }

    @Test(arguments: 0..<3)
    func theHandshakeSurvivesAMissingAnswer(_ index: Int) {
        var chat = Chat(ChatSettings(providerUID: "p", connectionTimeout: Self.timeout))
        chat.authorize()
        chat.server.silence = Self.steps[index].0
        chat.open()
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: Self.timeout)
        chat.server.silence = []
        chat.advance(milliseconds: 1000)
        #expect(chat.state == .ready)
        #expect(chat.screen.banners.isEmpty)
        #expect(chat.server.accepted == ["a-1"])
    }

    @Test("a repeated or misplaced answer is ignored")
    func duplicatedAndMisplaced() {
        var chat = Chat()
        chat.authorize()
        chat.server.silence = .register
        chat.open()
        let correlation = chat.sentFrames.last?.correlationID
        // A receipt in reply to registerDevice does not contain a device address.
        chat.handle(
            .network(
                .received(
                    Generation(1),
                    ServerFrame(.receipt(SendReceipt(messageID: "m", sentAt: nil)), correlationID: correlation))))
        #expect(chat.state == .registering)
        #expect(chat.stores.of("ann").contents.deviceAddress == nil)
        chat.advance(milliseconds: 30_000)
        #expect(chat.notices.contains(.networkProblem(.socket(.handshakeTimeout(.registerDevice)))))
    }

    @Test("if the reply to a message is missing, the history decides after 5 s")
    func message() {
        var chat = Chat(ChatSettings(providerUID: "p", sendTimeout: 9000))
        chat.authorize()
        chat.open()
        chat.server.silence = .message
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: 4999)
        #expect(chat.own("a-1") == .sending)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .sent, "the history shows that it arrived")
        #expect(chat.server.frames["a-1"] == 1)
        chat.advance(milliseconds: 60_000)
        #expect(!chat.notices.contains(.message(MessageID("a-1"), .failed(.timedOut))))
    }

    @Test("if the reply to the last attempt is missing, the history decides after sendTimeout")
    func lastTry() {
        var chat = Chat(ChatSettings(providerUID: "p", sendTimeout: 9000))
        chat.server.configuration.settings?.messageRetryCount = 0
        chat.authorize()
        chat.open()
        chat.server.silence = .message
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: 8999)
        #expect(chat.own("a-1") == .sending)
        chat.advance(milliseconds: 1)
        #expect(chat.notices.contains(.message(MessageID("a-1"), .failed(.timedOut))))
        #expect(chat.own("a-1") == .sent, "the history shows that it arrived")
    }

    @Test("unanswered read marks are sent again on the next socket")
    func readMarks() {
        var chat = Chat()
        _ = chat.server.says("one", uuid: "o-1")
        chat.authorize()
        chat.server.silence = .statuses
        chat.open()
        chat.server.silence = []
        chat.breakLink()
        #expect(chat.server.statuses == [StatusChange(messageID: "m-o-1", status: .read)])
    }

    @Test(
        "a logout uses the socket for at most 5 s, then it is reported later",
        arguments: [FakeServer.Silence.offline, .upgrade])
    func offline(_ silence: FakeServer.Silence) {
        var chat = Chat()
        chat.authorize()
        chat.open()
        if silence == .upgrade { chat.close() }
        chat.server.silence = [silence, .pong]
        chat.handle(.logout(Ticket(1)))
        chat.advance(milliseconds: 4999)
        #expect(!chat.notices.contains(.loggedOut(Ticket(1), .localOnlyPending)))
        #expect(chat.core.liveGeneration != nil)
        chat.advance(milliseconds: 1)
        #expect(chat.notices.contains(.loggedOut(Ticket(1), .localOnlyPending)))
        #expect(chat.core.liveGeneration == nil)
        let opened = chat.openedSockets
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        chat.advance(milliseconds: 600_000)
        #expect(chat.openedSockets == opened, "no later attempt opens a socket")
    }

    @Test("the transport limits calls; the chat works until then, and the failure is reported")
    func calls() {
        for silence in [FakeServer.Silence.configuration, .history, .unread] {
            var chat = Chat()
            chat.server.silence = silence
            chat.authorize()
            chat.open()
            if silence == .unread { chat.handle(.unreadCount(Ticket(4))) }
            #expect(chat.state == .ready)
            let call = chat.networkCommands.compactMap { command -> CallID? in
                guard case .call(let id, let call) = command else { return nil }
                switch (silence, call.request) {
                case (.configuration, .configuration), (.history, .history), (.unread, .unread): return id
                default: return nil
                }
            }.last
            guard let call else {
                Issue.record("no call")
                continue
            }
            let failure = TransportFailure(.timedOut)
            chat.handle(.network(.answered(call, .failure(failure))))
            let told = chat.notices.contains { notice in
                if case .networkProblem(.call(_, failure)) = notice { true } else { false }
            }
            #expect(told)
            switch silence {
            case .configuration: #expect(chat.screen.banners == [.configurationFailed(failure)])
            case .history: #expect(chat.screen.banners == [.historyFailed(failure)])
            default: #expect(chat.notices.contains(.unreadAnswer(Ticket(4), .failure(.transport(failure)))))
            }
        }
    }
}
