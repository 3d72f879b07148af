import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// Messages with an identifier that the caller chose are sent once, however often the call is repeated.
@Suite struct RepeatableSendTests {
    let folder: TemporaryFolder
    let id = MessageID("0c7f4a52-4a52-4c7f-8c7f-0c7f4a524a52")

    init() throws {
        folder = try TemporaryFolder()
    }

    private func states(of fate: ChatMessageFate, count: Int) async -> [ChatMessageState] {
        var states: [ChatMessageState] = []
        for await state in fate {
            states.append(state)
            if states.count == count { break }
        }
        return states
    }

    /// Returns the names of the copies in the user's folder.
    private func copies(_ chat: TestChat) throws -> [String] {
        let files = try #require(chat.sdk.driver.currentFolder).files
        return (try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? []
    }

    @Test("a repeated text is sent once, and both receipts are the same message")
    func text() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let first = try await screen.send("once", id: id)
        let second = try await screen.send("once", id: id)
        chat.settle()
        #expect(first.id == id)
        #expect(second.id == id)
        #expect(chat.network.sentTexts == ["once"])
        #expect(chat.network.sent.last { $0.text == "once" }?.uuid == id.text)
        #expect(await states(of: try await screen.send("once", id: id).fate, count: 1) == [.sent])
        #expect(screen.state.messages.filter { $0.id == id }.count == 1)
    }

    @Test("after a restart the message is found in the store", arguments: [false, true])
    func restart(isOld: Bool) async throws {
        let key = ChatStorageKey.random()
        do {
            let chat = TestChat(in: folder, configure: { $0.storageKey = key })
            let screen = try chat.open()
            try await screen.send("once", id: id)
            chat.settle()
            if isOld {
                for number in 0..<120 { try await screen.send("\(number)") }
                chat.settle()
            }
            chat.shutDown()
        }
        let chat = TestChat(in: folder, configure: { $0.storageKey = key })
        let screen = try chat.open()
        #expect((screen.state.message(id) == nil) == isOld)
        let receipt = try await screen.send("once", id: id)
        chat.settle()
        #expect(receipt.id == id)
        #expect(!chat.network.sentTexts.contains("once"))
    }

    @Test("a repeated file is sent once, and no second copy stays")
    func file() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        chat.network.script.upload = nil
        let file = try folder.write("a.png", [1, 2, 3])
        let first = try await screen.attach(
            file, id: id, name: "voice.png", type: "audio/ogg", durationMilliseconds: 900)
        chat.settle()
        #expect(try copies(chat).count == 1)
        try FileManager.default.removeItem(at: file)
        let second = try await screen.attach(file, id: id, name: "voice.png")
        #expect(first.id == second.id)
        #expect(try copies(chat).count == 1)
        let row = try #require(screen.state.message(id))
        #expect(row.files.map(\.name) == ["voice.png"])
        #expect(row.files.first?.voice?.durationMilliseconds == 900)
        // A race: the copy was made before the other call was stored.
        let copy = try chat.sdk.driver.keep(
            ChatFileSource(bytes: .data(Data([1, 2, 3])), name: "voice.png", type: "image/png"))
        #expect(try copies(chat).count == 2)
        _ = try await chat.sdk.driver.send(OutgoingMessage(text: nil, files: [copy]), id: id)
        #expect(try copies(chat).count == 1)
    }

    @Test("the identifier of a different message is refused, also after a restart", arguments: [false, true])
    func different(isRestarted: Bool) async throws {
        var chat = TestChat(in: folder)
        var screen = try chat.open()
        chat.network.script.upload = nil
        let file = try folder.write("a.png", [1, 2, 3])
        let larger = try folder.write("b.png", [1, 2, 3, 4])
        let fileID = MessageID("1c7f4a52-4a52-4c7f-8c7f-0c7f4a524a52")
        try await screen.send("first", id: id)
        try await screen.attach(file, id: fileID)
        chat.settle()
        var sent = chat.network.sentTexts
        #expect(sent == ["first"])
        if isRestarted {
            chat.shutDown()
            chat = TestChat(in: folder)
            screen = try chat.open()
            chat.settle()
            sent = chat.network.sentTexts
        }
        let kept = try copies(chat)
        for number in 0..<4 {
            let error = await #expect(throws: ChatSendError.self) {
                switch number {
                case 0: try await screen.send("second", id: id)
                case 1: try await screen.attach(file, id: id)
                case 2: try await screen.attach(larger, id: fileID, name: "a.png")
                default: try await screen.attach(file, id: fileID, text: "with a text")
                }
            }
            #expect(error?.code == .messageIdentifierInUse, "call \(number)")
        }
        chat.settle()
        #expect(chat.network.sentTexts == sent)
        #expect(try copies(chat) == kept)
        #expect(try await screen.send("first", id: id).id == id)
    }

    @Test("a repeated press answers once")
    func press() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        var question = Content(.message, uuid: "q", operator: Operator(id: "1", role: .bot), text: "Sure?")
        question.quickReplies = [QuickReply(id: "7", text: "Yes", payload: "p")]
        chat.network.push(question)
        chat.settle()
        let button = try #require(screen.state.message(MessageID("q"))?.buttons.first)
        try await screen.press(button, id: id)
        try await screen.press(button, id: id)
        chat.settle()
        #expect(chat.network.sentTexts == ["Yes"])
        #expect(chat.network.sent.last { $0.text == "Yes" }?.quickReplies.first?.payload == "p")
    }

    @Test("a failed message is returned with its failure, and is not sent again")
    func failed() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        chat.network.script.answerToMessage = { _ in .failure(action: "sendMessage", ErrorAnswer("NO")) }
        try await screen.send("refused", id: id)
        chat.settle()
        let count = chat.network.sentTexts.count
        let again = try await screen.send("refused", id: id)
        chat.settle()
        #expect(await states(of: again.fate, count: 1) == [.failed(.refused(ServerRefusal(code: "NO")))])
        #expect(chat.network.sentTexts.count == count)
    }

    @Test("the identifier of a received message and unusable identifiers are refused")
    func refused() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        chat.network.push(Content(.message, uuid: "theirs", operator: Operator(id: "1"), text: "Hello"))
        chat.settle()
        for id in ["theirs", "", String(repeating: "x", count: 129)] {
            let error = await #expect(throws: ChatSendError.self) {
                try await screen.send("x", id: MessageID(id))
            }
            #expect(error?.code == (id == "theirs" ? .messageIdentifierInUse : .messageNotSent))
        }
        let error = await #expect(throws: ChatSendError.self) { try await screen.send("  ", id: self.id) }
        #expect(error?.code == .messageIsEmpty)
        chat.sdk.deauthorizeUser()
        let other = await #expect(throws: ChatSendError.self) { try await screen.send("x", id: self.id) }
        #expect(other?.code == .userNotAuthorized)
        chat.settle()
        #expect(chat.network.sentTexts.isEmpty)
    }

    @Test("another user can use the same identifier")
    func users() async throws {
        let chat = TestChat(in: folder)
        let first = try chat.open()
        try await first.send("of one", id: id)
        chat.settle()
        let second = try chat.open(ChatUser(identifier: "client-2"))
        try await second.send("of two", id: id)
        chat.settle()
        #expect(chat.network.sentTexts == ["of one", "of two"])
    }
}
