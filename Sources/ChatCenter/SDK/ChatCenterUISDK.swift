public final class ChatCenterUISDK: Sendable {}
public final class ChatScreen: Sendable {}
public struct ChatConnectionState {}
