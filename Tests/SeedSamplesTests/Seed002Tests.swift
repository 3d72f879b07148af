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
        // A copy: what happens to the variable afterwards has no effect.
        var later = config
        later.shouldUseRemoteConfig = true
        #expect(sdk.effectiveConfig.values.keepSocketActive.value)
    }
}

extension ChatCenterUISDK {
    fileprivate var keepsSocketActive: Bool { effectiveConfig.values.keepSocketActive.value }
}
