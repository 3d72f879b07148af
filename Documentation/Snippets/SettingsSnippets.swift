import ChatCenter
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Chat/ChatCenter/Documentation.docc/Settings.md.
struct SettingsSnippets {
    func sample1(current: ChatSSLCertificate, next: ChatSSLCertificate) async throws {
        var config = ChatConfig(transportConfig: try ChatTransportConfig(validatingCloudHost: "chat.example.com"))
        config.networkConfig.sslPinning = try SSLPinningConfig(requiring: [current, next])
        let chat = ChatCenterUISDK(providerUid: "…", chatConfig: config)
    }
}
