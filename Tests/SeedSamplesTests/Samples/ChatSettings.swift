import ChatCenter

// The examples of seeds/002: chat settings, minimal and with a persistent counter of unread messages.

func makeMinimalChatConfig(_ transport: ChatTransportConfig) -> ChatConfig {
    let chatConfig = ChatConfig(transportConfig: transport)
    return chatConfig
}

func makeChatWithPersistentCounter(_ transport: ChatTransportConfig) -> (ChatCenterUISDK, ChatConfig) {
    var chatConfig = ChatConfig(transportConfig: transport)
    chatConfig.shouldUseRemoteConfig = false
    chatConfig.keepSocketActive = true
    chatConfig.unreadMessageCountDelay = 30  // seconds

    let sdk = ChatCenterUISDK(providerUid: "a provider", chatConfig: chatConfig)
    return (sdk, chatConfig)
}
