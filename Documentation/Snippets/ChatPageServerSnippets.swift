import ChatCenter
import ChatPageServer
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/chat-page-server.md.
struct ChatPageServerSnippets {
    func sample1(transport: ChatTransportConfig, pinned: ChatNetworkConfig, stores: URL, tokens: @escaping @Sendable (ChatPageVisitor) async throws -> ChatAuth
    ) async throws {
        @Sendable func token(of visitor: ChatPageVisitor) async throws -> ChatAuth { try await tokens(visitor) }

        var configuration = ChatPageServerConfiguration()
        configuration.port = 8090
        configuration.origins = ["https://chat.example.com"]        // behind a reverse proxy that terminates TLS
        configuration.signInURL = "https://www.example.com/login"

        let server = try ChatPageServer(configuration: configuration) { visitor in
            var chat = ChatConfig(transportConfig: transport, networkConfig: pinned)
            chat.storageDirectory = stores.appendingPathComponent(visitor.folderName)
            let sdk = ChatCenterUISDK(providerUid: "shop", chatConfig: chat)
            sdk.authorize(user: ChatUser(identifier: visitor.id), auth: try await token(of: visitor))
            return sdk
        }
        try await server.run()
    }

    func sample2(configuration: inout ChatPageServerConfiguration, pictures: URL, theme: inout ChatTheme, bytes: [UInt8]) async throws {
        configuration.pictures = try await ChatPagePictures(folder: pictures)     // plane.png
        theme.images.send = ChatThemeImage(.asset("plane"))
        theme.images.avatar = ChatThemeImage(.file(bytes, type: "image/png"))
    }
}
