import ChatCenter

// What seeds/002 shows: settings of the chat, minimal and with a counter of unread messages that goes on.

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
