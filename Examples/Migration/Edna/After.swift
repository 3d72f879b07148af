import ChatCenter
import Foundation

/// The chat of an app, which trusts only the certificates that the app contains.
final class SupportChat {
    let sdk: ChatCenterUISDK

    init(transport: ChatTransportConfig, certificates: [URL], folder: URL? = nil) throws {
        var network = ChatNetworkConfig()
        network.wsConfig.sendTimeout = 30
        network.sslPinning = try SSLPinningConfig(requiring: certificates.map { ChatSSLCertificate(contentsOf: $0) })
        var config = ChatConfig(transportConfig: transport, networkConfig: network)
        config.storageDirectory = folder
        sdk = ChatCenterUISDK(providerUid: "my-provider", chatConfig: config)
    }

    func signIn(_ identifier: String) async throws {
        try await sdk.authorize(ChatUser(identifier: identifier))
    }

    func open() throws -> ChatScreen {
        try sdk.getChat()  // ChatView and ChatViewController of ChatCenterUI show it
    }
}
