import ChatCenter
import Testing

@Suite("seeds/002: settings of the chat")
struct Seed002Tests {
    private let transport = ChatTransportConfig(
        rest: "https://chat.example.com", webSocket: "wss://chat.example.com/socket",
        dataStore: "https://chat.example.com/files")

    @Test func theMinimalConfigurationHasTheDocumentedDefaults() {
        let config = makeMinimalChatConfig(transport)
        #expect(config.networkConfig == ChatNetworkConfig())
        #expect(config.shouldUseRemoteConfig)
        #expect(config.userInputEnabled)
        #expect(config.unreadMessageCountDelay == 0)
    }

    @Test func theSettingsOfThePersistentCounterAreInEffect() {
        let (sdk, config) = makeChatWithPersistentCounter(transport)
        #expect(config.unreadMessageCountDelay == 30)
        #expect(sdk.effectiveConfig.values.keepSocketActive.value)
        #expect(!ChatCenterUISDK(providerUid: "p", chatConfig: makeMinimalChatConfig(transport)).keepsSocketActive)
        #expect(sdk.effectiveConfig.values.unreadMessageCountDelay.value == 30)
    }

    /// The SDK keeps a copy of the settings. Later changes of the variable, at any depth, have no effect.
    @Test func laterChangesOfTheVariableHaveNoEffect() {
        var config = makeMinimalChatConfig(transport)
        config.shouldUseRemoteConfig = false
        config.unreadMessageCountDelay = 30
        config.networkConfig.httpConfig.downloadTimeout = 11
        config.networkConfig.wsConfig.sendTimeout = 12
        let sdk = ChatCenterUISDK(providerUid: "p", chatConfig: config)
        func look() -> [String] {
            let effective = sdk.effectiveConfig
            return [
                "\(effective.values)", "\(effective.security)", "\(effective.restTimeout)",
                "\(effective.downloadTimeout)",
                "\(effective.uploadTotalTimeout)", "\(effective.socketTimeout)", "\(effective.sendTimeout)",
                "\(sdk.connectionState)", "\(sdk.configurationDiagnoses)",
            ]
        }
        let told = look()
        config.userInputEnabled = false
        config.shouldUseRemoteConfig = true
        config.localSettings = ChatLocalSettings(keepSocketActive: true)
        config.unreadMessageCountDelay = 60
        config.networkConfig.httpConfig.connectionTimeout = 1
        config.networkConfig.httpConfig.downloadTimeout = 2
        config.networkConfig.httpConfig.uploadTimeout = 3
        config.networkConfig.wsConfig.connectionTimeout = 4
        config.networkConfig.wsConfig.sendTimeout = 5
        config.networkConfig.sslPinning.allowUntrustedSSLCertificate = true
        #expect(look() == told)
        #expect(sdk.effectiveConfig.sendTimeout == .seconds(12))
        // Shows that the test can detect each change: an SDK made with the changed variable differs in every setting.
        let other = ChatCenterUISDK(providerUid: "p", chatConfig: config).effectiveConfig
        #expect(other.security != sdk.effectiveConfig.security)
        #expect(other.values.keepSocketActive.value && !other.values.userInputEnabled.value)
        #expect(other.values.unreadMessageCountDelay.value == 60)
        let timeouts = [
            other.restTimeout, other.downloadTimeout, other.uploadIdleTimeout, other.socketTimeout, other.sendTimeout,
        ]
        #expect(timeouts == (1...5).map { Duration.seconds($0) })
    }
}

extension ChatCenterUISDK {
    fileprivate var keepsSocketActive: Bool { effectiveConfig.values.keepSocketActive.value }
}
