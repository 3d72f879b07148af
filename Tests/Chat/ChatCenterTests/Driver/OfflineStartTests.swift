import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// A chat that is opened while there is no network.
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

    @Test("what is kept is on the screen at once, and what is written waits for the network and is sent then")
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
        #expect(Set(screen.state.messages.compactMap(\.text)) == ["before", "kept"], "before the network was asked")
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

    @Test("a chat whose store is new opens offline, too")
    func new() throws {
        let chat = TestChat(in: folder, script: offline())
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        let screen = try chat.sdk.getChat()
        screen.viewDidAppear()
        chat.settle()
        try screen.send("first")
        #expect(screen.state.messages.map(\.text) == ["first"])
    }

    @Test("who waits for the server is told that it is not there; the user is authorized all the same")
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
