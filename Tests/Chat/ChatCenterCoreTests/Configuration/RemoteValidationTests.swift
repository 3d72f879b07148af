import ChatCenterCore
import ChatWire
import Testing

/// Tests that invalid values in the server's configuration have no effect.
@Suite struct RemoteValidationTests {
    /// Parses the configuration from text, so that it can contain any value.
    static func answer(_ settings: String = "{}", _ channel: String = "{}") throws -> ConfigurationAnswer {
        let text = """
            {"settings": \(settings), "channelConfig": \(channel),
             "attachmentSettings": {"content": {"type": "ATTACHMENT_SETTINGS", "content": {"maxSize": 10}}}}
            """
        return try ConfigurationAnswer(parsing: Array(text.utf8))
    }

    /// A value from the server, its key and the effective value.
    struct Value: Sendable, CustomTestStringConvertible {
        var name: String
        var isChannel = false
        var good: String
        var text: @Sendable (EffectiveConfiguration) -> String
        var origin: @Sendable (EffectiveConfiguration) -> SettingOrigin
        var garbage: [String]
        var testDescription: String { name }

        init<T: Hashable & Sendable>(
            _ name: String, channel: Bool = false, good: String, garbage: [String],
            _ read: @escaping @Sendable (EffectiveConfiguration) -> EffectiveSetting<T>
        ) {
            self.name = name
            isChannel = channel
            self.good = good
            self.garbage = garbage
            text = { "\(read($0).value)" }
            origin = { read($0).origin }
        }

        func answer(_ value: String) throws -> ConfigurationAnswer {
            let object = "{\"\(name)\": \(value)}"
            return try isChannel
                ? RemoteValidationTests.answer("{}", object) : RemoteValidationTests.answer(object)
        }
    }

    static let noNumber = [
        "\"many\"", "true", "[]", "{}", "-1", "9223372036854775807", "1e300", "-9223372036854775808",
    ]
    static let noInterval = noNumber + ["0"]
    static let noFlag = ["\"perhaps\"", "17", "[]", "{}", "\"\""]

    static let values: [Value] = [
        Value("typingMessagesIntervalSeconds", good: "7", garbage: noInterval) { $0.typingInterval },
        Value("pingIntervalMillis", good: "9000", garbage: noInterval) { $0.pingInterval },
        Value("pingRetries", good: "2", garbage: noInterval) { $0.pingRetries },
        Value("retryIntervalMillis", good: "700", garbage: noInterval) { $0.retryInterval },
        Value("retryMultiplier", good: "3", garbage: noInterval) { $0.retryMultiplier },
        Value("messageRetryCount", good: "4", garbage: noNumber) { $0.messageRetryCount },
        Value("sendClientInfoAfterMillis", good: "4000", garbage: noNumber) { $0.clientInfoInterval },
        Value("pingEnabled", good: "true", garbage: noFlag) { $0.pingActionEnabled },
        Value("registerAtFirstStart", good: "true", garbage: noFlag) { $0.registerAtFirstStart },
        Value(
            "clientNotificationDisplayType", good: "\"CURRENT\"",
            garbage: ["7", "[]", "\"\"", "\"" + String(repeating: "x", count: 65) + "\""]
        ) { $0.clientNotificationDisplayType },
        Value("searchEnabled", channel: true, good: "false", garbage: noFlag) { $0.searchEnabled },
        Value("voiceRecordingEnabled", channel: true, good: "true", garbage: noFlag) { $0.voiceRecordingEnabled },
        Value("scrollToLatest", channel: true, good: "false", garbage: noFlag) { $0.scrollToLatest },
        Value("linkPreviewEnabled", channel: true, good: "true", garbage: noFlag) { $0.linkPreviewEnabled },
        Value("showAttachButton", channel: true, good: "false", garbage: noFlag) { $0.showAttachButton },
        Value("surveyCompletionDelay", channel: true, good: "1500", garbage: noNumber) { $0.surveyCompletionDelay },
        Value("historyLoadingCount", channel: true, good: "12", garbage: noInterval) { $0.historyLoadingCount },
        Value("keepSocketActive", channel: true, good: "true", garbage: noFlag) { $0.keepSocketActive },
        Value("keepSocketActiveDuringOperatorSession", channel: true, good: "true", garbage: noFlag) {
            $0.keepSocketActiveDuringOperatorSession
        },
    ]

    @Test("an invalid value keeps the local value or the last valid one", arguments: values)
    func garbage(_ value: Value) throws {
        let standard = Chat().core.configuration
        for garbage in value.garbage {
            var chat = Chat()
            chat.server.configuration = try value.answer(garbage)
            chat.authorize()
            #expect(value.text(chat.core.configuration) == value.text(standard), "\(garbage)")
            #expect(value.origin(chat.core.configuration) == .standard, "\(garbage)")
            #expect(chat.lines.contains { $0.contains(value.name) && $0.contains("stays in force") }, "logged")

            chat.server.configuration = try value.answer(value.good)
            chat.authorize(Chat.user, WireCredentials(token: "t-2"))
            let good = value.text(chat.core.configuration)
            #expect(good != value.text(standard))
            #expect(value.origin(chat.core.configuration) == .server)
            chat.server.configuration = try value.answer(garbage)
            chat.authorize(Chat.user, WireCredentials(token: "t-3"))
            #expect(value.text(chat.core.configuration) == good, "\(garbage): the last valid value")
            // The same applies to pushed values and after a restart.
            chat.open()
            let update = try value.answer(garbage)
            chat.push(
                Content(
                    .settingsUpdated(
                        ConfigurationUpdate(settings: update.settings, channelConfig: update.channelConfig))))
            #expect(value.text(chat.core.configuration) == good, "\(garbage): pushed")
            chat.restart()
            chat.server.silence = .configuration
            chat.authorize()
            #expect(value.text(chat.core.configuration) == good, "\(garbage): after a restart")
            // An absent value is valid: the server no longer overrides it.
            chat.server.silence = []
            chat.server.configuration = try Self.answer()
            chat.authorize(Chat.user, WireCredentials(token: "t-4"))
            #expect(value.text(chat.core.configuration) == value.text(standard))
        }
    }

    @Test("each override is logged once with both values, unchanged values are not logged", arguments: values)
    func overrides(_ value: Value) throws {
        var chat = Chat()
        chat.server.configuration = try value.answer(value.good)
        chat.authorize()
        chat.handle(.reload)
        chat.authorize(Chat.user, WireCredentials(token: "t-2"))
        #expect(chat.lines.count { $0.hasPrefix("the server sets") } == 1)
        let line = try #require(chat.lines.first { $0.hasPrefix("the server sets") })
        #expect(line.contains("= \(value.text(chat.core.configuration))"))
        #expect(line.contains("previously \(value.text(Chat().core.configuration))"))
    }

    @Test(arguments: ["settings", "channelConfig", "attachmentSettings"])
    func aPartThatIsNotAnObjectKeepsTheLastValidOne(_ part: String) throws {
        let good = try Self.answer(#"{"pingRetries": 3}"#, #"{"historyLoadingCount": 12}"#)
        var chat = Chat()
        chat.server.configuration = good
        chat.authorize()
        for garbage in ["[]", "7", "\"x\""] {
            let text =
                #"{"settings": {"pingRetries": 3}, "channelConfig": {"historyLoadingCount": 12}, "#
                + #""attachmentSettings": {"content": {"content": {"maxSize": 10}}}, "\#(part)": \#(garbage)}"#
            chat.server.configuration = try ConfigurationAnswer(parsing: Array(text.utf8))
            chat.authorize(Chat.user, WireCredentials(token: garbage))
            #expect(chat.core.configuration.pingRetries.value == 3)
            #expect(chat.core.configuration.historyLoadingCount.value == 12)
            #expect(chat.screen.input.isEnabled, "\(part) = \(garbage)")
        }
    }

    @Test func anInvalidFileLimitKeepsTheLastValidOne() throws {
        func refused(_ chat: inout Chat, megabytes: Int64, _ id: String) -> Bool {
            let file = LocalFile(path: "/f", name: "f.png", type: "image/png", size: megabytes * 1_048_576)
            let effects = chat.send("x", id, files: [.init(id: TransferID(id), file: file)])
            return effects.contains { if case .acknowledge(_, .failure) = $0 { true } else { false } }
        }
        for size in ["0", "-1", "\"big\"", "9223372036854775807"] {
            var chat = Chat()
            chat.authorize()
            chat.server.configuration = try Self.answer()
            let text = #"{"settings": {}, "attachmentSettings": {"content": {"content": {"maxSize": \#(size)}}}}"#
            chat.server.configuration = try ConfigurationAnswer(parsing: Array(text.utf8))
            chat.authorize(Chat.user, WireCredentials(token: "t-2"))
            #expect(!refused(&chat, megabytes: 10, "a-1"), "\(size)")
            #expect(refused(&chat, megabytes: 11, "a-2"), "\(size)")
        }
    }

    @Test("shouldUseRemoteConfig = false: channelConfig is ignored, settings are used")
    func withoutRemoteConfiguration() throws {
        for value in Self.values {
            var chat = Chat(ChatSettings(providerUID: "p", shouldUseRemoteConfig: false))
            chat.server.configuration = try value.answer(value.good)
            chat.authorize()
            #expect(value.origin(chat.core.configuration) == (value.isChannel ? .standard : .server), "\(value.name)")
        }
    }

    @Test func localSettingsHaveAnOriginToo() {
        let standard = Chat().core.configuration
        #expect(standard.userInputEnabled == EffectiveSetting(true, .standard))
        #expect(standard.unreadMessageCountDelay == EffectiveSetting(0, .standard))
        #expect(standard.connectionTimeout == EffectiveSetting(30_000, .standard))
        #expect(standard.sendTimeout == EffectiveSetting(20_000, .standard))
        let own = Chat(
            ChatSettings(
                providerUID: "p", userInputEnabled: false, unreadMessageCountDelay: 30, connectionTimeout: 1,
                sendTimeout: .max)
        ).core.configuration
        #expect(own.userInputEnabled == EffectiveSetting(false, .local))
        #expect(own.unreadMessageCountDelay == EffectiveSetting(30, .local))
        #expect(own.connectionTimeout == EffectiveSetting(100, .local))
        #expect(own.sendTimeout == EffectiveSetting(86_400_000, .local))
    }
}
