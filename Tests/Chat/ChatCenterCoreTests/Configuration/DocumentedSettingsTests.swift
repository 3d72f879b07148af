import ChatCenterCore
import ChatWire
import Testing

/// Tests that changing a documented setting changes the behavior.
@Suite struct DocumentedSettingsTests {
    /// The observable behavior of a chat with given settings.
    func seen<T>(
        _ settings: ChatSettings = ChatSettings(providerUID: "p"),
        remote server: (inout ConfigurationAnswer) -> Void = { _ in }, _ look: (inout Chat) -> T
    ) -> T {
        var chat = Chat(settings)
        server(&chat.server.configuration)
        return look(&chat)
    }

    func local(_ change: (inout ChatLocalSettings) -> Void) -> ChatSettings {
        var local = ChatLocalSettings.standard
        change(&local)
        return ChatSettings(providerUID: "p", local: local)
    }

    func channel(_ change: (inout ChannelOverrides) -> Void) -> (inout ConfigurationAnswer) -> Void {
        var channel = ChannelOverrides()
        change(&channel)
        return { $0.channelConfig = channel }
    }

    func settings(_ change: (inout CommunicationSettings) -> Void) -> (inout ConfigurationAnswer) -> Void {
        var settings = CommunicationSettings()
        change(&settings)
        return { $0.settings = settings }
    }

    static func open(_ chat: inout Chat) {
        chat.authorize()
        chat.open()
    }

    // MARK: channelConfig, and its local values

    /// Checks a flag of the screen with a local and with a remote value.
    func flag(
        _ local: WritableKeyPath<ChatLocalSettings, Bool>, _ remote: WritableKeyPath<ChannelOverrides, Bool?>,
        _ look: (ChatScreenState) -> Bool
    ) {
        for value in [false, true] {
            let here = self.local { $0[keyPath: local] = value }
            #expect(
                seen(here) {
                    Self.open(&$0); return look($0.screen)
                } == value)
            let there = channel { $0[keyPath: remote] = value }
            let opposite = self.local { $0[keyPath: local] = !value }
            #expect(
                seen(opposite, remote: there) {
                    Self.open(&$0); return look($0.screen)
                } == value)
        }
    }

    @Test("searchEnabled") func searchEnabled() { flag(\.searchEnabled, \.searchEnabled) { $0.showsSearch } }

    @Test("voiceRecordingEnabled controls the screen") func voiceRecordingEnabled() {
        flag(\.voiceRecordingEnabled, \.voiceRecordingEnabled) { $0.input.showsVoiceButton }
    }

    @Test("scrollToLatest") func scrollToLatest() { flag(\.scrollToLatest, \.scrollToLatest) { $0.scrollsToLatest } }

    @Test("linkPreviewEnabled controls the screen") func linkPreviewEnabled() {
        flag(\.linkPreviewEnabled, \.linkPreviewEnabled) { $0.showsLinkPreviews }
    }

    @Test("showAttachButton") func showAttachButton() {
        flag(\.showAttachButton, \.showAttachButton) { $0.input.showsAttachButton }
    }

    @Test("keepSocketActive") func keepSocketActive() {
        for value in [false, true] {
            let kept = seen(local { $0.keepSocketActive = value }) { chat in
                Self.open(&chat)
                chat.close()
                return chat.state == .ready
            }
            #expect(kept == value)
        }
    }

    @Test("keepSocketActiveDuringOperatorSession") func keepSocketActiveDuringOperatorSession() {
        for value in [false, true] {
            let kept = seen(remote: {
                $0.channelConfig = ChannelOverrides(keepSocketActiveDuringOperatorSession: value)
            }) {
                chat in
                Self.open(&chat)
                chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1"))
                chat.close()
                return chat.state == .ready
            }
            #expect(kept == value)
        }
    }

    @Test("historyLoadingCount: the size of every page") func historyLoadingCount() {
        for count in [5, 30, 200] {
            let asked = seen(local { $0.historyLoadingCount = count }) { chat in
                for number in 0..<300 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
                Self.open(&chat)
                chat.handle(.loadOlder)
                return chat.networkCommands.compactMap { command -> Int64? in
                    if case .call(_, let call) = command, case .history(let request) = call.request {
                        request.count
                    } else {
                        nil
                    }
                }
            }
            #expect(asked.first == Int64(count) && asked.last == Int64(count), "\(asked)")
        }
    }

    @Test("surveyCompletionDelay, in milliseconds") func surveyCompletionDelay() {
        for delay in [0, 1500, 60_000] {
            seen(local { $0.surveyCompletionDelay = delay }) { chat in
                Self.open(&chat)
                chat.handle(
                    .send(
                        Ticket(1), MessageID("a-1"),
                        OutgoingMessage(.surveyQuestionAnswer(SurveyAnswer(questionID: 1, rate: 5)), text: nil)))
                if delay > 0 {
                    chat.advance(milliseconds: Int64(delay) - 1)
                    #expect(chat.server.answers.isEmpty)
                    chat.advance(milliseconds: 1)
                }
                #expect(chat.server.answers.count == 1)
            }
        }
    }

    // MARK: Settings that the server cannot override

    @Test("userInputEnabled") func userInputEnabled() {
        for value in [false, true] {
            let blocked = seen(ChatSettings(providerUID: "p", userInputEnabled: value)) {
                Self.open(&$0)
                return $0.screen.input.blocked
            }
            #expect(blocked == (value ? nil : .disabled))
        }
    }

    @Test("unreadMessageCountDelay, in seconds") func unreadMessageCountDelay() {
        for (delay, polls) in [(Int64(0), 0), (10, 6), (30, 2)] {
            let count = seen(ChatSettings(providerUID: "p", unreadMessageCountDelay: delay)) { chat in
                chat.authorize()
                chat.forgetEffects()
                chat.advance(milliseconds: 60_000)
                return chat.networkCommands.count {
                    if case .call(_, let call) = $0 { call.request == .unread } else { false }
                }
            }
            #expect(count == polls)
        }
    }

    @Test("WSConfig.connectionTimeout") func connectionTimeout() {
        for timeout in [Int64(500), 30_000, 45_000] {
            seen(ChatSettings(providerUID: "p", connectionTimeout: timeout)) { chat in
                chat.server.silence = .upgrade
                Self.open(&chat)
                let request = chat.networkCommands.compactMap { command -> Int64? in
                    if case .openSocket(_, let request) = command { request.timeoutMilliseconds } else { nil }
                }
                #expect(request == [timeout])
                chat.advance(milliseconds: timeout - 1)
                #expect(chat.state == .connecting)
                chat.advance(milliseconds: 1)
                #expect(chat.state != .connecting)
            }
        }
    }

    @Test("WSConfig.sendTimeout") func sendTimeout() {
        for timeout in [Int64(1000), 20_000, 90_000] {
            seen(ChatSettings(providerUID: "p", sendTimeout: timeout)) { chat in
                Self.open(&chat)
                chat.server.silence = [.message, .history]
                chat.send("Hi", "a-1")
                chat.advance(milliseconds: timeout - 1)
                #expect(chat.own("a-1") == .sending)
                chat.advance(milliseconds: 1)
                #expect(chat.own("a-1") == .failed(.timedOut))
            }
        }
    }

    // MARK: settings

    @Test("typingMessagesIntervalSeconds") func typingInterval() {
        for seconds in [Int64(1), 5, 60] {
            seen(remote: settings { $0.typingMessagesIntervalSeconds = seconds }) { chat in
                Self.open(&chat)
                chat.handle(.typed("a"))
                chat.handle(.typed("ab"))
                chat.advance(milliseconds: seconds * 1000 - 1)
                #expect(chat.server.drafts == ["a"])
                chat.advance(milliseconds: 1)
                #expect(chat.server.drafts == ["a", "ab"])
            }
        }
    }

    @Test("pingEnabled: the ping action in addition to the WebSocket ping") func pingEnabled() {
        for (value, actions) in [(nil, 0), (false, 0), (true, 4)] as [(Bool?, Int)] {
            let (frames, pings) = seen(remote: settings { $0.pingEnabled = value }) { chat in
                Self.open(&chat)
                chat.forgetEffects()
                chat.advance(milliseconds: 60_000)
                return (
                    chat.sentFrames.count { $0.body == .ping },
                    chat.networkCommands.count { $0 == .ping(Generation(1)) }
                )
            }
            #expect(frames == actions)
            #expect(pings == 4)
        }
    }

    @Test("pingIntervalMillis and pingRetries: when an idle link is probed and considered dead") func ping() {
        for (interval, retries, dead) in [(nil, nil, 20_000), (5000, 1, 10_000), (10_000, 3, 25_000)]
            as [(Int64?, Int64?, Int64)]
        {
            seen(
                remote: settings {
                    $0.pingIntervalMillis = interval; $0.pingRetries = retries
                }
            ) { chat in
                Self.open(&chat)
                chat.server.silence = .pong
                chat.forgetEffects()
                chat.advance(milliseconds: (interval ?? 15_000) - 1)
                #expect(!chat.networkCommands.contains(.ping(Generation(1))))
                chat.advance(milliseconds: 1)
                #expect(chat.networkCommands.contains(.ping(Generation(1))))
                chat.advance(milliseconds: dead - (interval ?? 15_000) - 1)
                #expect(chat.core.liveGeneration == Generation(1))
                chat.advance(milliseconds: 1)
                #expect(chat.core.liveGeneration == Generation(2))
            }
        }
    }

    @Test("retryIntervalMillis and retryMultiplier: the range of the delays") func retries() {
        for (interval, multiplier, spans) in [
            (nil, nil, [1000, 2000, 4000]), (250, 3, [250, 750, 2250]), (10_000, 10, [10_000, 60_000, 60_000]),
            // The server cannot prevent the delays between connections from growing.
            (500, 1, [500, 1000, 2000]),
        ] as [(Int64?, Int64?, [Int64])] {
            var longest: [Int64] = [0, 0, 0]
            for round in 0..<60 {
                seen(
                    remote: settings {
                        $0.retryIntervalMillis = interval; $0.retryMultiplier = multiplier
                    }
                ) { chat in
                    chat.authorize()
                    chat.server.silence = .upgrade
                    // Each round draws another random number.
                    for _ in 0..<round { chat.handle(.wake) }
                    chat.open()
                    for attempt in 0..<3 {
                        chat.breakLink()
                        guard case .waitingToReconnect(_, let at, _) = chat.state else { return }
                        let wait = at - chat.now.wall
                        #expect(wait <= spans[attempt])
                        longest[attempt] = max(longest[attempt], wait)
                        chat.advance(milliseconds: wait)
                    }
                }
            }
            for attempt in 0..<3 { #expect(longest[attempt] > spans[attempt] / 4, "\(spans) \(longest)") }
        }
    }

    @Test("messageRetryCount: how often a message is sent again automatically") func messageRetryCount() {
        for count in [Int64(0), 1, 3] {
            let patient = ChatSettings(providerUID: "p", sendTimeout: 3_600_000)
            seen(patient, remote: settings { $0.messageRetryCount = count }) { chat in
                Self.open(&chat)
                chat.server.losesMessages = true
                chat.send("Hi", "a-1")
                for attempt in 0...count {
                    #expect(chat.own("a-1") == .sending, "attempt \(attempt) of \(count)")
                    // Each socket breaks before a ping could show that the frame was lost.
                    chat.breakLink()
                    chat.reconnect()
                }
                #expect(chat.own("a-1") == .failed(.lost(tries: Int(count) + 1)))
                #expect(chat.sentFrames.count { $0.isMessage } == Int(count) + 1)
                // After the user resends the message, the count starts again.
                chat.server.losesMessages = false
                chat.handle(.resend(MessageID("a-1")))
                #expect(chat.own("a-1") == .sent)
            }
        }
    }

    @Test("messageRetryCount: attempts on a live socket count, and the last one waits")
    func messageRetryCountOnALiveSocket() {
        for count in [Int64(0), 1, 3] {
            let patient = ChatSettings(providerUID: "p", sendTimeout: 3_600_000)
            seen(patient, remote: settings { $0.messageRetryCount = count }) { chat in
                Self.open(&chat)
                chat.server.losesMessages = true
                chat.send("Hi", "a-1")
                for attempt in 0...count {
                    #expect(chat.sentFrames.count { $0.isMessage } == Int(attempt) + 1)
                    chat.advance(milliseconds: 4999)
                    #expect(chat.sentFrames.count { $0.isMessage } == Int(attempt) + 1, "not sent before 5 s")
                    chat.advance(milliseconds: 1)
                }
                chat.advance(milliseconds: 600_000)
                #expect(chat.sentFrames.count { $0.isMessage } == Int(count) + 1)
                #expect(chat.own("a-1") == .sending, "a check in the history does not fail it")
                chat.breakLink()
                chat.reconnect()
                #expect(chat.own("a-1") == .failed(.lost(tries: Int(count) + 1)))
            }
        }
    }

    @Test("sendClientInfoAfterMillis: unchanged information is not sent again earlier") func clientInfo() {
        for (interval, again) in [(nil, true), (0, true), (5000, false)] as [(Int64?, Bool)] {
            var local = ChatLocalSettings.standard
            local.keepSocketActive = true
            seen(
                ChatSettings(providerUID: "p", local: local),
                remote: settings { $0.sendClientInfoAfterMillis = interval }
            ) {
                chat in
                Self.open(&chat)
                #expect(chat.server.infos.count == 1)
                chat.advance(milliseconds: 4999)
                chat.open(2)
                #expect(chat.server.infos.count == (again ? 2 : 1))
                chat.handle(.userData(["k": "v"]))
                chat.open(3)
                #expect(chat.server.infos.last?.data == ["k": "v"], "changes are sent at once")
                chat.advance(milliseconds: 5000)
                let before = chat.server.infos.count
                chat.open(4)
                #expect(chat.server.infos.count == before + 1)
            }
        }
    }

    @Test("registerAtFirstStart") func registerAtFirstStart() {
        for value in [false, true] {
            let sockets = seen(remote: settings { $0.registerAtFirstStart = value }) { chat in
                chat.authorize()
                return chat.openedSockets
            }
            #expect(sockets == (value ? 1 : 0))
        }
    }

    @Test("clientNotificationDisplayType is stored and passed on unchanged") func displayType() {
        let type = seen(remote: settings { $0.clientNotificationDisplayType = "CURRENT" }) { chat in
            chat.authorize()
            return chat.core.configuration.clientNotificationDisplayType
        }
        #expect(type == EffectiveSetting("CURRENT", .server))
    }
}

extension ClientFrame {
    fileprivate var isMessage: Bool {
        if case .sendMessage(let content, _) = body { content.body == .message } else { false }
    }
}
