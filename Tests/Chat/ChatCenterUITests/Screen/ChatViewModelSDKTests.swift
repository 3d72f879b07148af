import ChatCenter
import ChatCenterCore
import Foundation
import Testing

@testable import ChatCenterUI

/// Tests the view model over a screen of a real SDK without a server.
@MainActor @Suite struct ChatViewModelSDKTests {
    @Test(.timeLimit(.minutes(1))) func aMessageThatTheSDKAcceptedIsARow() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chat-ui-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var config = ChatConfig(transportConfig: ChatTransportConfig(cloudHost: "chat.invalid"))
        config.storageDirectory = folder
        let chat = ChatCenterUISDK(providerUid: "provider", chatConfig: config)
        chat.authorize(user: ChatUser(identifier: "client-1"))
        let screen = try chat.getChat()
        let model = ChatViewModel(screen, ChatViewOptions(), audio: FakeAudio())
        #expect(model.rows.isEmpty)
        #expect(model.texts(.titleOpened) == screen.text(.titleOpened))

        let id = MessageID(UUID().uuidString.lowercased())
        try await model.screen.sendText("Hello", id)
        try await model.screen.sendText("Hello", id)
        for await state in screen.states where !state.messages.isEmpty { break }
        // The model follows the same states in a task of its own.
        while model.rows.isEmpty { await Task.yield() }
        let messages = model.rows.compactMap(\.message)
        #expect(messages.map(\.text) == ["Hello"], "the same id is sent once")
        #expect(messages.first?.actions == [.delete])
    }
}
