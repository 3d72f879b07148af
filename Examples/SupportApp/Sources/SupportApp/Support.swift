import ChatCenter
import Foundation

/// The chat of the app: one SDK for the life of the process.
struct Support: Sendable {
    private let sdk: Result<ChatCenterUISDK, any Error>

    init() {
        sdk = Result { try Self.makeSDK() }
    }

    /// Returns the chat's screen. Throws if the app does not contain its certificates.
    func open() throws -> ChatScreen {
        let sdk = try sdk.get()
        // The app takes the identifier from its own login. It must be hard to guess.
        sdk.authorize(user: ChatUser(identifier: "unique-and-hard-to-guess"))
        return try sdk.getChat()
    }

    /// Creates the SDK, which trusts only the keys of the certificates in the app's bundle.
    private static func makeSDK() throws -> ChatCenterUISDK {
        var network = ChatNetworkConfig()
        network.sslPinning = try SSLPinningConfig(requiring: [
            ChatSSLCertificate(resource: "current", withExtension: "cer"),
            ChatSSLCertificate(resource: "next", withExtension: "cer"),
        ])
        let transport = try ChatTransportConfig(validatingCloudHost: "chat.example.com")
        return ChatCenterUISDK(
            providerUid: "my-provider", chatConfig: ChatConfig(transportConfig: transport, networkConfig: network))
    }
}
