import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// Each test changes one setting and checks its effect. `docs/reference/settings.md` lists the test of each setting,
/// and `scripts/check-settings.sh` checks that every setting has one.
@Suite struct SettingsBehaviourTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the screen of a chat whose app changed one setting. The server decides no setting unless a test says so.
    private func screen(_ configure: (inout ChatConfig) -> Void) throws -> (chat: TestChat, screen: ChatScreen) {
        let chat = TestChat(in: folder, configure: configure)
        return (chat, try chat.open())
    }

    @Test("seed 2.3: userInputEnabled", arguments: [true, false])
    func userInputEnabled(value: Bool) throws {
        let (_, screen) = try screen { $0.userInputEnabled = value }
        #expect(screen.state.input.isEnabled == value)
        #expect(screen.state.input.blocked == (value ? nil : .disabled))
    }

    @Test("storageDirectory contains all stored data")
    func storageDirectory() throws {
        let place = folder.url.appendingPathComponent("Elsewhere")
        let (chat, screen) = try screen { $0.storageDirectory = place }
        try screen.send("kept")
        chat.settle()
        let paths = try folder.contents().map(\.path)
        #expect(!paths.isEmpty && paths.allSatisfy { $0.hasPrefix("Elsewhere/") })
    }

    @Test("storageKey encrypts stored data, and another key cannot open it")
    func storageKey() async throws {
        let needle = "Geheimnis\(UInt64.random(in: 0...(.max)))"
        let key = ChatStorageKey.random()
        let file = try folder.write("original.txt", Array(needle.utf8))
        do {
            var script = ScriptedNetwork.Script()
            script.upload = .failure(TransportFailure(.unreachable))
            let chat = TestChat(in: folder, script: script, configure: { $0.storageKey = key })
            let screen = try chat.open(ChatUser(identifier: "\(needle)-user", name: needle))
            try await screen.send(needle)
            try await screen.attach(file, name: needle + ".txt")
            chat.settle()
            try FileManager.default.removeItem(at: file)
            #expect(try folder.contents().allSatisfy { $0.bytes.range(of: Data(needle.utf8)) == nil })
        }
        let wrong = TestChat(in: folder, configure: { $0.storageKey = .random() })
        let error = await #expect(throws: ChatAuthorizationError.self) {
            try await wrong.sdk.authorize(ChatUser(identifier: "\(needle)-user"))
        }
        #expect(error?.code == .store)
        #expect((error?.underlying as? ChatStorageError)?.code == .wrongKey)
        #expect(throws: ChatCenterUIError.userNotAuthorized) { try wrong.sdk.getChat() }
        let right = TestChat(in: folder, configure: { $0.storageKey = key })
        let screen = try right.open(ChatUser(identifier: "\(needle)-user"))
        #expect(screen.state.messages.contains { $0.text == needle })
    }

    // MARK: Settings that the server can decide

    /// Checks the effect of a local setting. The public properties are deprecated;
    /// `DefaultsTests.deprecatedSettingsAreStored` tests that they set this value.
    private func shows(
        _ change: (inout ChatLocalSettings) -> Void, remote: ChannelOverrides? = nil,
        _ look: (ChatScreenState) -> Bool
    ) throws -> Bool {
        var script = ScriptedNetwork.Script()
        var answer = ConfigurationAnswer.standard
        answer.channelConfig = remote
        script.configuration = .success(.configuration(answer))
        let chat = TestChat(in: try TemporaryFolder(), script: script, configure: { change(&$0.serverDriven) })
        return look(try chat.open().state)
    }

    @Test("seed 2.6: searchEnabled")
    func searchEnabled() throws {
        #expect(try shows({ $0.searchEnabled = true }) { $0.showsSearch })
        #expect(try !shows({ $0.searchEnabled = false }) { $0.showsSearch })
        #expect(
            try shows({ $0.searchEnabled = false }, remote: ChannelOverrides(searchEnabled: true)) { $0.showsSearch })
    }

    @Test("seed 2.7: voiceRecordingEnabled")
    func voiceRecordingEnabled() throws {
        #expect(try !shows({ $0.voiceRecordingEnabled = false }) { $0.input.showsVoiceButton })
        #expect(try shows({ $0.voiceRecordingEnabled = true }) { $0.input.showsVoiceButton })
        #expect(
            try !shows({ $0.voiceRecordingEnabled = true }, remote: ChannelOverrides(voiceRecordingEnabled: false)) {
                $0.input.showsVoiceButton
            })
    }

    @Test("seed 2.6: scrollToLatest")
    func scrollToLatest() throws {
        #expect(try shows({ $0.scrollToLatest = true }) { $0.scrollsToLatest })
        #expect(try !shows({ $0.scrollToLatest = false }) { $0.scrollsToLatest })
    }

    @Test("seed 2.7: linkPreviewEnabled")
    func linkPreviewEnabled() throws {
        #expect(try !shows({ $0.linkPreviewEnabled = false }) { $0.showsLinkPreviews })
        #expect(try shows({ $0.linkPreviewEnabled = true }) { $0.showsLinkPreviews })
    }

    @Test("seed 2.6: showAttachButton")
    func showAttachButton() throws {
        #expect(try shows({ $0.showAttachButton = true }) { $0.input.showsAttachButton })
        #expect(try !shows({ $0.showAttachButton = false }) { $0.input.showsAttachButton })
    }

    @Test("seed 0.6: uploadTimeout, or uploadTotalTimeout, is the total of all attempts", arguments: [false, true])
    func uploadTimeout(isTotal: Bool) throws {
        let file = try folder.write("photo.png", [1, 2, 3])
        let (chat, screen) = try screen { config in
            config.networkConfig.httpConfig.uploadTimeout = isTotal ? 600 : 2
            if isTotal { config.networkConfig.httpConfig.uploadTotalTimeout = 2 }
        }
        chat.network.script.upload = nil
        try screen.attach(file, name: "photo.png")
        chat.settle()
        chat.advance(by: .milliseconds(1999))
        #expect(screen.state.messages.first?.author == .me(.uploading))
        chat.advance(by: .milliseconds(1))
        #expect(screen.state.messages.first?.author == .me(.failed(.upload(TransportFailure(.timedOut)))))
    }

    /// Returns the requests for the history, in order.
    private func requests(_ chat: TestChat) -> [HistoryRequest] {
        chat.network.commands.compactMap { command in
            guard case .call(_, let call) = command, case .history(let request) = call.request else { return nil }
            return request
        }
    }

    @Test(
        "seed 2.6: historyLoadingCount is the page size of the first and later requests", arguments: [30, 7])
    func historyLoadingCount(value: Int) throws {
        var script = ScriptedNetwork.Script()
        script.history = (0..<value).map {
            Content(.message, uuid: "o-\($0)", operator: Operator(name: "Eva"), text: "\($0)", receivedDate: 1000)
        }
        let chat = TestChat(
            in: folder, script: script, configure: { $0.serverDriven.historyLoadingCount = value })
        let screen = try chat.open()
        #expect(requests(chat).first == HistoryRequest(.newest, count: Int64(value)))
        screen.loadOlder()
        chat.settle()
        #expect(requests(chat).last == HistoryRequest(.before(uuid: "o-0"), count: Int64(value)))
    }

    @Test("catchUpPageSize is the page size of a request for missed messages", arguments: [500, 40])
    func catchUpPageSize(value: Int) throws {
        var script = ScriptedNetwork.Script()
        script.history = [
            Content(.message, uuid: "o-0", operator: Operator(name: "Eva"), text: "0", receivedDate: 1000)
        ]
        let chat = TestChat(in: folder, script: script, configure: { $0.catchUpPageSize = value })
        _ = try chat.open()
        chat.network.breakSocket()
        chat.settle()
        let missed = requests(chat).filter { $0.bound == .after(uuid: "o-0") }
        #expect(!missed.isEmpty && missed.allSatisfy { $0.count == Int64(value) })
    }

    @Test("seed 2.7: surveyCompletionDelay delays an answer to a survey, in milliseconds", arguments: [0, 1500])
    func surveyCompletionDelay(value: Int) throws {
        let (chat, _) = try screen { $0.serverDriven.surveyCompletionDelay = value }
        let answer = SurveyAnswer(questionID: 1, rate: 5, scale: 5, sendingID: 1, simple: false)
        let message = OutgoingMessage(.surveyQuestionAnswer(answer), text: nil)
        _ = try chat.sdk.driver.send(message)
        chat.settle()
        func isSent() -> Bool {
            chat.network.sent.contains { if case .surveyQuestionAnswer = $0.body { true } else { false } }
        }
        if value > 0 {
            chat.advance(by: .milliseconds(value - 1))
            #expect(!isSent())
            chat.advance(by: .milliseconds(1))
        }
        #expect(isSent())
    }

    @Test("seeds 2.8, 2.11: keepSocketActive keeps the socket open after the screen", arguments: [false, true])
    func keepSocketActive(value: Bool) throws {
        let (chat, screen) = try screen { $0.serverDriven.keepSocketActive = value }
        #expect(chat.network.live != nil)
        screen.viewDidDisappear()
        chat.settle()
        #expect((chat.network.live != nil) == value)
    }

    @Test(
        "seeds 2.8, 2.14: keepSocketActiveDuringOperatorSession keeps the socket until the operator ends the dialog",
        arguments: [false, true])
    func keepSocketActiveDuringOperatorSession(value: Bool) throws {
        let (chat, screen) = try screen { $0.serverDriven.keepSocketActiveDuringOperatorSession = value }
        chat.network.push(Content(.threadOpened, threadID: 1, uuid: "t", receivedDate: 1))
        chat.settle()
        screen.viewDidDisappear()
        chat.settle()
        #expect((chat.network.live != nil) == value)
    }

    @Test("localSettings are the app's own settings, set without a deprecation warning")
    func localSettings() throws {
        var config = ChatConfig(transportConfig: ChatTransportConfig(cloudHost: "x.example"))
        #expect(config.localSettings == nil)
        config.localSettings?.keepSocketActive = true
        #expect(!config.serverDriven.keepSocketActive, "the setting is unchanged while the server decides")
        config.localSettings = ChatLocalSettings(keepSocketActive: true)
        #expect(!config.shouldUseRemoteConfig)
        config.localSettings?.searchEnabled = false
        config.localSettings?.voiceRecordingEnabled = true
        config.localSettings?.scrollToLatest = false
        config.localSettings?.linkPreviewEnabled = true
        config.localSettings?.showAttachButton = false
        config.localSettings?.surveyCompletionDelay = 5
        config.localSettings?.historyLoadingCount = 7
        config.localSettings?.keepSocketActiveDuringOperatorSession = true
        var expected = ChatLocalSettings()
        expected.searchEnabled = false
        expected.voiceRecordingEnabled = true
        expected.scrollToLatest = false
        expected.linkPreviewEnabled = true
        expected.showAttachButton = false
        expected.surveyCompletionDelay = 5
        expected.historyLoadingCount = 7
        expected.keepSocketActive = true
        expected.keepSocketActiveDuringOperatorSession = true
        #expect(config.serverDriven == expected)
        #expect(config.localSettings == expected)
        config.localSettings = nil
        #expect(config.shouldUseRemoteConfig)

        let (chat, screen) = try screen { $0.localSettings = ChatLocalSettings(keepSocketActive: true) }
        screen.viewDidDisappear()
        chat.settle()
        #expect(chat.network.live != nil)
        #expect(chat.sdk.effectiveConfig.values.keepSocketActive == EffectiveSetting(true, .local))
    }

    @Test("surveyCompletionInterval and unreadMessageCountInterval are the same settings as durations")
    func intervals() {
        var config = ChatConfig(transportConfig: ChatTransportConfig(cloudHost: "x.example"))
        config.surveyCompletionInterval = .milliseconds(2500)
        #expect(config.serverDriven.surveyCompletionDelay == 2500)
        config.unreadMessageCountInterval = .seconds(30)
        #expect(config.unreadMessageCountDelay == 30)
    }

    // MARK: Server addresses

    @Test(
        "apiVersion is sent with the configuration call, the registration and each message",
        arguments: APIVersion.allCases)
    func apiVersion(version: APIVersion) throws {
        let chat = TestChat(in: folder, transport: ChatTransportConfig(cloudHost: "chat.example", apiVersion: version))
        let screen = try chat.open()
        try screen.send("text")
        chat.settle()
        let number = Int64(version.rawValue)
        var seen = 0
        for command in chat.network.commands {
            switch command {
            case .call(_, let call):
                guard case .configuration(_, let apiVersion) = call.request else { continue }
                #expect(apiVersion == number)
                seen += 1
            case .transmit(_, _, let frame):
                switch frame.body {
                case .registerDevice(let registration):
                    #expect(registration.apiVersion == number)
                    seen += 1
                case .sendMessage(let content, _):
                    #expect(content.apiVersion == number)
                    seen += 1
                default: break
                }
            default: break
            }
        }
        #expect(seen >= 4)
    }

    @Test("WSConfig.connectionTimeout ends a connection attempt of the socket", arguments: [0.5, 45])
    func socketConnectionTimeout(seconds: Double) throws {
        var script = ScriptedNetwork.Script()
        script.socket = nil
        let chat = TestChat(
            in: folder, script: script, configure: { $0.networkConfig.wsConfig.connectionTimeout = seconds })
        let screen = try chat.open()
        #expect(screen.state.connection == .connecting)
        chat.advance(by: .milliseconds(Int64(seconds * 1000) - 1))
        #expect(screen.state.connection == .connecting)
        chat.advance(by: .milliseconds(1))
        #expect(screen.state.connection != .connecting)
        let asked = chat.network.commands.compactMap { command -> Int64? in
            if case .openSocket(_, let request) = command { request.timeoutMilliseconds } else { nil }
        }
        #expect(asked.first == Int64(seconds * 1000))
    }

    // MARK: Logging

    @Test("ChatLoggerConfig.directory contains the log files")
    func loggerDirectory() throws {
        let chat = TestChat(in: folder, logLevel: .all)
        _ = try chat.open()
        #expect(try folder.contents().contains { $0.path == "Logs/chat.log" })
    }
}
