import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// A chat that is opened without a network.
@Suite struct OfflineStartTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func offline() -> ScriptedNetwork.Script {
        var script = ScriptedNetwork.Script()
        script.configuration = .failure(TransportFailure(.noConnectivity))
        script.socket = .failure(TransportFailure(.noConnectivity))
        return script
    }

    @Test("stored messages are shown at once, and new ones are sent when there is a network")
    func kept() throws {
        do {
            let chat = TestChat(in: folder)
            let screen = try chat.open()
            try screen.send("before")
            chat.network.push(
                Content(.message, uuid: "answer", operator: Operator(id: "1"), text: "kept", receivedDate: 5))
            chat.settle()
            chat.shutDown()
        }
        let chat = TestChat(in: folder, script: offline())
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        #expect(chat.sdk.isAuthorized)
        let screen = try chat.sdk.getChat()
        #expect(Set(screen.state.messages.compactMap(\.text)) == ["before", "kept"], "before any network request")
        screen.viewDidAppear()
        chat.settle()
        #expect(screen.state.connection != .ready)
        #expect(screen.state.input.isEnabled)
        try screen.send("offline")
        chat.settle()
        #expect(screen.state.messages.last?.text == "offline")
        chat.network.script = ScriptedNetwork.Script()
        chat.advance(by: .seconds(120))
        #expect(screen.state.connection == .ready)
        #expect(chat.network.sentTexts == ["offline"])
    }

    @Test("a chat with a new store also opens offline")
    func new() throws {
        let chat = TestChat(in: folder, script: offline())
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        let screen = try chat.sdk.getChat()
        screen.viewDidAppear()
        chat.settle()
        try screen.send("first")
        #expect(screen.state.messages.map(\.text) == ["first"])
    }

    @Test("a wait for the server ends with an error, but the user is authorized")
    func waiting() async throws {
        let chat = TestChat(in: folder, script: offline())
        let error = await #expect(throws: ChatAuthorizationError.self) {
            try await chat.sdk.authorize(ChatUser(identifier: "client-1"))
        }
        #expect(error?.code == .network)
        #expect(chat.sdk.isAuthorized)
        #expect(throws: Never.self) { try chat.sdk.getChat() }
    }
}
