import ChatCenterCore
import ChatWire
import Testing

/// Tests the precedence, origin and range of every value that the server can override.
@Suite struct ConfigurationTests {
    /// A flag with its local, remote and effective value.
    struct Flag: Sendable, CustomStringConvertible {
        var name: String
        var local: @Sendable (inout ChatLocalSettings, Bool) -> Void
        var remote: @Sendable (inout ChannelOverrides, Bool) -> Void
        var effective: @Sendable (EffectiveConfiguration) -> EffectiveSetting<Bool>
        var standard: Bool
        var description: String { name }
    }

    static let flags: [Flag] = [
        Flag(
            name: "searchEnabled", local: { $0.searchEnabled = $1 }, remote: { $0.searchEnabled = $1 },
            effective: { $0.searchEnabled }, standard: true),
        Flag(
            name: "voiceRecordingEnabled", local: { $0.voiceRecordingEnabled = $1 },
            remote: { $0.voiceRecordingEnabled = $1 }, effective: { $0.voiceRecordingEnabled }, standard: false),
        Flag(
            name: "scrollToLatest", local: { $0.scrollToLatest = $1 }, remote: { $0.scrollToLatest = $1 },
            effective: { $0.scrollToLatest }, standard: true),
        Flag(
            name: "linkPreviewEnabled", local: { $0.linkPreviewEnabled = $1 },
            remote: { $0.linkPreviewEnabled = $1 }, effective: { $0.linkPreviewEnabled }, standard: false),
        Flag(
            name: "showAttachButton", local: { $0.showAttachButton = $1 }, remote: { $0.showAttachButton = $1 },
            effective: { $0.showAttachButton }, standard: true),
        Flag(
            name: "keepSocketActive", local: { $0.keepSocketActive = $1 }, remote: { $0.keepSocketActive = $1 },
            effective: { $0.keepSocketActive }, standard: false),
        Flag(
            name: "keepSocketActiveDuringOperatorSession",
            local: { $0.keepSocketActiveDuringOperatorSession = $1 },
            remote: { $0.keepSocketActiveDuringOperatorSession = $1 },
            effective: { $0.keepSocketActiveDuringOperatorSession }, standard: false),
    ]

    func effective(
        _ channel: ChannelOverrides?, local: ChatLocalSettings = .standard, remoteCounts: Bool = true
    ) -> EffectiveConfiguration {
        var chat = Chat(ChatSettings(providerUID: "p", local: local, shouldUseRemoteConfig: remoteCounts))
        chat.server.configuration.channelConfig = channel
        chat.authorize()
        return chat.core.configuration
    }

    @Test(arguments: flags, [false, true])
    func theServersValueWinsUnlessRemoteConfigurationIsOff(_ flag: Flag, server: Bool) {
        var channel = ChannelOverrides()
        flag.remote(&channel, server)
        var local = ChatLocalSettings.standard
        flag.local(&local, !server)
        #expect(flag.effective(effective(channel, local: local)) == EffectiveSetting(server, .server))
        let origin: SettingOrigin = !server == flag.standard ? .standard : .local
        #expect(
            flag.effective(effective(channel, local: local, remoteCounts: false)) == EffectiveSetting(!server, origin))
        #expect(flag.effective(effective(ChannelOverrides(), local: local)) == EffectiveSetting(!server, origin))
        #expect(flag.effective(effective(nil, local: local)) == EffectiveSetting(!server, origin))
    }

    @Test func documentedDefaults() {
        let configuration = effective(nil)
        for flag in Self.flags { #expect(flag.effective(configuration) == EffectiveSetting(flag.standard, .standard)) }
        #expect(configuration.surveyCompletionDelay == EffectiveSetting(0, .standard))
        #expect(configuration.historyLoadingCount == EffectiveSetting(30, .standard))
    }

    @Test(arguments: [(Int64(1), 1), (200, 200), (201, 200), (200_000, 200)])
    func numbersOfTheServerAreClamped(_ sent: Int64, _ used: Int) {
        let configuration = effective(
            ChannelOverrides(surveyCompletionDelay: 600_000 + sent, historyLoadingCount: sent))
        #expect(configuration.historyLoadingCount == EffectiveSetting(used, .server))
        #expect(configuration.surveyCompletionDelay == EffectiveSetting(600_000, .server))
    }

    @Test func localNumbersAreClampedToo() {
        var local = ChatLocalSettings.standard
        local.historyLoadingCount = -3
        local.surveyCompletionDelay = -1
        let configuration = effective(nil, local: local)
        #expect(configuration.historyLoadingCount == EffectiveSetting(1, .local))
        #expect(configuration.surveyCompletionDelay == EffectiveSetting(0, .local))
    }

    @Test(arguments: [Int64(1), 600_000])
    func otherServerSettingsAreClampedAndAlwaysApply(_ extreme: Int64) {
        var chat = Chat(ChatSettings(providerUID: "p", shouldUseRemoteConfig: false))
        chat.server.configuration.settings = CommunicationSettings(
            typingMessagesIntervalSeconds: min(extreme, 60_000), pingIntervalMillis: extreme,
            pingRetries: min(extreme, 5000), messageRetryCount: min(extreme, 100_000), retryIntervalMillis: extreme,
            retryMultiplier: min(extreme, 10_000), sendClientInfoAfterMillis: extreme)
        chat.authorize()
        let configuration = chat.core.configuration
        let isLow = extreme == 1
        #expect(configuration.typingInterval == EffectiveSetting(isLow ? 1000 : 60_000, .server))
        #expect(configuration.pingInterval == EffectiveSetting(isLow ? 5000 : 300_000, .server))
        #expect(configuration.pingRetries == EffectiveSetting(isLow ? 1 : 5, .server))
        #expect(configuration.messageRetryCount == EffectiveSetting(isLow ? 1 : 100, .server))
        #expect(configuration.retryInterval == EffectiveSetting(isLow ? 250 : 10_000, .server))
        #expect(configuration.retryMultiplier == EffectiveSetting(isLow ? 1 : 10, .server))
        #expect(configuration.clientInfoInterval == EffectiveSetting(isLow ? 1 : 600_000, .server))
    }

    @Test func eachOverrideIsLoggedOnce() {
        var chat = Chat()
        chat.server.configuration.channelConfig = ChannelOverrides(searchEnabled: false)
        chat.authorize()
        chat.handle(.reload)
        let lines = chat.effects.filter {
            if case .log(let record) = $0 { record.message.contains("searchEnabled") } else { false }
        }
        #expect(lines.count == 1)
    }

    @Test func aPushedChangeAppliesAtOnceAndKeepsTheRest() {
        var chat = Chat()
        chat.server.configuration.channelConfig = ChannelOverrides(searchEnabled: false)
        chat.authorize()
        chat.open()
        chat.push(
            Content(.settingsUpdated(ConfigurationUpdate(channelConfig: ChannelOverrides(showAttachButton: false)))))
        #expect(chat.core.configuration.showAttachButton == EffectiveSetting(false, .server))
        #expect(chat.core.configuration.searchEnabled == EffectiveSetting(false, .server))
        #expect(chat.screen.input.showsAttachButton == false)
        #expect(chat.screen.showsSearch == false)
    }

    @Test func theLastValidConfigurationSurvivesARestart() {
        var chat = Chat()
        chat.server.configuration.channelConfig = ChannelOverrides(historyLoadingCount: 5)
        chat.authorize()
        chat.restart()
        chat.server.silence = .configuration
        chat.authorize()
        #expect(chat.core.configuration.historyLoadingCount == EffectiveSetting(5, .server))
    }

    @Test func aFailedConfigurationIsRequestedAgainWhenTheSocketIsReady() {
        var chat = Chat()
        chat.server.configurationStatus = 503
        chat.authorize()
        chat.open()
        #expect(chat.screen.input.blocked == .notConfigured)
        chat.server.configurationStatus = nil
        chat.breakLink()
        #expect(chat.screen.input.isEnabled)
    }

    @Test func theCallContainsApplicationAndVersion() {
        var chat = Chat(ChatSettings(providerUID: "p", appMarker: "bank", apiVersion: 19))
        chat.authorize()
        let requests = chat.networkCommands.compactMap { command -> RESTRequest? in
            if case .call(_, let call) = command { call.request } else { nil }
        }
        #expect(requests.first == .configuration(appMarker: "bank", apiVersion: 19))
    }
}
