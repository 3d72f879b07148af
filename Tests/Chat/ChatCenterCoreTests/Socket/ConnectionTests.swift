import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests how a socket becomes ready, its timeouts, its loss and its reconnection.
@Suite struct ConnectionTests {
    static let second: Int64 = 1_000_000_000

    @Test(arguments: [
        (FakeServer.Silence.upgrade, HandshakeStep.upgrade), (.register, .registerDevice), (.clientInfo, .clientInfo),
    ])
    func eachStepOfTheHandshakeHasTheConnectionTimeout(_ silence: FakeServer.Silence, _ step: HandshakeStep) {
        var chat = Chat(ChatSettings(providerUID: "p", connectionTimeout: 7000))
        chat.server.silence = silence
        chat.authorize()
        chat.open()
        let generation = chat.core.liveGeneration
        chat.advance(milliseconds: 6999)
        #expect(chat.core.liveGeneration == generation)
        chat.forgetEffects()
        chat.advance(milliseconds: 1)
        #expect(chat.notices.contains(.networkProblem(.socket(.handshakeTimeout(step)))))
        #expect(chat.networkCommands.contains(.closeSocket(Generation(1), .handshakeTimeout)))
        guard case .waitingToReconnect(1, _, .handshakeTimeout(step)) = chat.state else {
            Issue.record("\(chat.state)")
            return
        }
        #expect(chat.screen.banners == [.connectionLost(.handshakeTimeout(step))])
    }

    @Test func theFirstAttemptAfterALossIsImmediateAndLaterOnesWaitLonger() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.advance(milliseconds: 60_000)
        chat.server.silence = .upgrade
        let before = chat.openedSockets
        chat.breakLink()
        #expect(chat.openedSockets == before + 1, "at once")

        var longest: [Int64] = []
        for _ in 0..<9 {
            chat.breakLink()
            guard case .waitingToReconnect(_, let at, _) = chat.state, let wake = chat.core.nextWake else {
                Issue.record("\(chat.state)")
                return
            }
            #expect(at - chat.now.wall == (wake - chat.now.monotonic) / 1_000_000)
            longest.append(at - chat.now.wall)
            chat.advance(milliseconds: at - chat.now.wall)
            #expect(chat.core.liveGeneration != nil)
        }
        for (failures, wait) in longest.enumerated() {
            #expect(wait >= 0 && wait <= min(60_000, 1000 << Int64(failures + 1)))
        }
        #expect(longest.max() ?? 0 > 2000, "the delays grow")
    }

    @Test func theDelayIsDrawnFromItsWholeRange() {
        var chat = Chat()
        chat.authorize()
        chat.server.silence = .upgrade
        var waits: [Int64] = []
        for screen in 1...UInt64(200) {
            chat.open(screen)
            chat.breakLink()
            if case .waitingToReconnect(_, let at, _) = chat.state { waits.append(at - chat.now.wall) }
            chat.close(screen)
            chat.handle(.enteredBackground)
            chat.handle(.enteredForeground)
        }
        #expect(waits.count == 200)
        #expect(waits.contains { $0 < 200 } && waits.contains { $0 > 800 })
    }

    @Test func aSocketThatKeepsFailingIsNotRetriedInATightLoop() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        let before = chat.openedSockets
        for _ in 0..<200 {
            chat.breakLink()
            chat.advance(milliseconds: 100)
        }
        #expect(chat.openedSockets - before < 20)
    }

    @Test func foregroundAndAnotherNetworkResetTheDelays() {
        for event in [ChatEvent.enteredForeground, .network(.pathChanged(hasRoute: true)), .reload] {
            var chat = Chat()
            chat.authorize()
            chat.server.silence = .upgrade
            chat.open()
            for _ in 0..<6 {
                chat.breakLink()
                while case .waitingToReconnect(_, let at, _) = chat.state {
                    chat.advance(milliseconds: max(1, at - chat.now.wall))
                }
            }
            chat.breakLink()
            if event == .enteredForeground { chat.handle(.enteredBackground) }
            chat.handle(event)
            #expect(chat.state == .connecting, "\(event)")
            chat.breakLink()
            guard case .waitingToReconnect(1, let at, _) = chat.state else {
                Issue.record("\(event): \(chat.state)")
                continue
            }
            #expect(at - chat.now.wall <= 1000)
        }
    }

    @Test func aLostNetworkDoesNotEndAWait() {
        var chat = Chat()
        chat.authorize()
        chat.server.silence = .upgrade
        chat.open()
        chat.breakLink()
        let before = chat.state
        chat.handle(.network(.pathChanged(hasRoute: false)))
        #expect(chat.state == before)
    }

    @Test func theServersHintsAreHonouredAndClamped() {
        for (cause, wait) in [
            (DisconnectCause.closedByServer(code: 1013, reason: "", retryAfterMilliseconds: 30_000), Int64(30_000)),
            (.transport(TransportFailure(.refused, status: 503, retryAfterMilliseconds: 12_345)), 12_345),
            (.closedByServer(code: 1013, reason: "", retryAfterMilliseconds: .max), 600_000),
            (.closedByServer(code: 1013, reason: "", retryAfterMilliseconds: -5), 0),
        ] {
            var chat = Chat()
            chat.authorize()
            chat.open()
            chat.advance(milliseconds: 60_000)
            chat.handle(.network(.socketClosed(Generation(1), cause)))
            guard case .waitingToReconnect(_, let at, cause) = chat.state else {
                Issue.record("\(chat.state)")
                continue
            }
            #expect(at - chat.now.wall >= wait)
            #expect(at - chat.now.wall <= max(wait, 1000))
        }
    }

    @Test func aRefusedCertificateIsShownWithItsReasonAndRetriedSlowly() {
        var chat = Chat()
        chat.authorize()
        chat.server.silence = .upgrade
        chat.open()
        let trust = TrustFailureSummary(code: "pinMismatch", reason: "no key matches")
        let failure = TransportFailure(.trust, trust: trust, errorID: 7)
        chat.handle(.network(.socketClosed(Generation(1), .transport(failure))))
        #expect(chat.screen.banners == [.connectionLost(.transport(failure))])
        #expect(chat.notices.contains(.networkProblem(.socket(.transport(failure)))))
        #expect(chat.openedSockets == 1)
    }

    // MARK: Generations

    @Test func eventsOfAnOlderSocketAreDropped() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.breakLink()
        #expect(chat.core.liveGeneration == Generation(2))
        chat.handle(.wake)
        let before = chat.core
        let stale: [NetworkEvent] = [
            .socketOpened(Generation(1)), .socketClosed(Generation(1), .linkDead), .ponged(Generation(1)),
            .received(Generation(1), ServerFrame(.messages([]))), .transmitted(Generation(1), FrameID(1)),
            .received(Generation(1), ServerFrame(.registered(deviceAddress: "evil"), correlationID: "1-1")),
            .received(Generation(9), ServerFrame(.registered(deviceAddress: "evil"))),
            .unreadable(Generation(1), WireError(.notAnObject, in: "frame")),
        ]
        for event in stale {
            let effects = chat.handle(.network(event))
            #expect(effects.allSatisfy { if case .log = $0 { true } else { false } }, "\(event)")
        }
        #expect(chat.core == before)
    }

    @Test func anUnrequestedReplyChangesNothing() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.send("Hi", "a-1")
        for body in [
            ServerFrame.Body.registered(deviceAddress: "evil"), .receipt(SendReceipt(messageID: "x", sentAt: nil)),
            .done(action: "ping"),
        ] {
            chat.handle(.network(.received(Generation(1), ServerFrame(body, correlationID: "1-999"))))
            chat.handle(.network(.received(Generation(1), ServerFrame(body))))
        }
        #expect(chat.state == .ready)
        #expect(chat.stores.of("ann").contents.deviceAddress == "device-of-ann")
        #expect(chat.own("a-1") == .sent)
    }

    // MARK: A dead link

    @Test("a dead idle link is detected after 20 s: a probe at 15 s, 5 s to answer")
    func silenceIsProbedAndADeadConnectionReplaced() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.forgetEffects()
        chat.advance(milliseconds: 14_999)
        #expect(!chat.networkCommands.contains(.ping(Generation(1))))
        chat.advance(milliseconds: 1)
        #expect(chat.networkCommands.contains(.ping(Generation(1))))
        #expect(chat.state == .ready, "the probe was answered")
        chat.server.silence = .pong
        chat.advance(milliseconds: 19_999)
        #expect(chat.core.liveGeneration == Generation(1))
        chat.advance(milliseconds: 1)
        #expect(chat.notices.contains(.networkProblem(.socket(.linkDead))))
        #expect(chat.core.liveGeneration == Generation(2))
    }

    @Test("a dead link is detected 5 s after a message was written to it")
    func anUnansweredMessageShortensTheSilence() {
        for idle in [Int64(0), 1000, 14_000] {
            var chat = Chat()
            chat.authorize()
            chat.open()
            chat.server.silence = [.message, .pong]
            chat.advance(milliseconds: idle)
            chat.send("Hi", "a-1")
            chat.advance(milliseconds: 4999)
            #expect(chat.core.liveGeneration == Generation(1))
            chat.server.silence = []
            chat.advance(milliseconds: 1)
            #expect(chat.core.liveGeneration == Generation(2))
            #expect(chat.own("a-1") == .sent)
        }
    }

    @Test func aServerThatAnswersOnlyProbesIsNotADeadConnection() {
        var chat = Chat()
        // Otherwise the message would be checked after the first probe.
        chat.server.configuration.settings?.messageRetryCount = 0
        chat.authorize()
        chat.open()
        chat.server.silence = .message
        chat.forgetEffects()
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: 19_000)
        #expect(chat.core.liveGeneration == Generation(1))
        #expect(chat.networkCommands.count { $0 == .ping(Generation(1)) } == 7, "every 2.5 s while a message waits")
        chat.server.silence = []
        chat.advance(milliseconds: 1000)
        chat.forgetEffects()
        chat.advance(milliseconds: 14_000)
        #expect(!chat.networkCommands.contains(.ping(Generation(1))), "no ping when no message waits")
    }

    @Test func theServersPingSettingsAreHonouredAndClamped() {
        var chat = Chat()
        chat.server.configuration.settings = CommunicationSettings(
            pingEnabled: true, pingIntervalMillis: 1, pingRetries: 3)
        chat.authorize()
        chat.open()
        chat.server.silence = .pong
        chat.forgetEffects()
        chat.advance(milliseconds: 19_999)
        let pings = chat.networkCommands.count { $0 == .ping(Generation(1)) }
        #expect(pings == 3, "every five seconds, three probes")
        let actions = chat.networkCommands.count {
            if case .transmit(_, _, let frame) = $0 { frame.action == "ping" } else { false }
        }
        #expect(actions == 3)
        chat.advance(milliseconds: 1)
        #expect(chat.core.liveGeneration == Generation(2))
    }

    // MARK: A refusing server

    @Test func aRefusedRegistrationIsShownAndRetried() {
        var chat = Chat()
        chat.authorize()
        chat.server.refusesRegister = ErrorAnswer("PROVIDER_UNKNOWN", details: "p")
        chat.open()
        let cause = DisconnectCause.refused(.registerDevice, ServerRefusal(code: "PROVIDER_UNKNOWN", details: "p"))
        #expect(chat.screen.banners == [.connectionLost(cause)])
        chat.advance(milliseconds: 1000)
        #expect(chat.state == .ready)
    }

    @Test func anUnreadableFrameIsIgnored() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.handle(.network(.unreadable(Generation(1), WireError(.notAnObject, in: "frame"))))
        #expect(chat.state == .ready)
    }
}
