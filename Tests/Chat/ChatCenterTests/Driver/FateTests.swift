import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// The states of a message are reported to the end, for every kind of end.
@Suite struct FateTests {
    /// The kind of end.
    enum End: String, CaseIterable, CustomTestStringConvertible {
        case logout, deauthorize, handOver, deletion, free

        var testDescription: String { rawValue }
    }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func states(of fate: ChatMessageFate) async -> [ChatMessageState] {
        var states: [ChatMessageState] = []
        for await state in fate { states.append(state) }
        return states
    }

    /// Returns the receipt of a message that waits.
    private func waiting(_ end: End) throws -> ChatReceipt {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        chat.network.script.socket = .failure(TransportFailure(.unreachable))
        chat.network.breakSocket()
        let receipt = try screen.send("waits")
        chat.settle()
        switch end {
        case .logout: try chat.sdk.driver.logout { _ in }
        case .deauthorize: chat.sdk.deauthorizeUser()
        case .handOver: chat.sdk.authorize(user: ChatUser(identifier: "client-2"))
        case .deletion: screen.delete(receipt.id)
        case .free: break
        }
        chat.settle()
        return receipt
    }

    @Test("the states end when the user leaves, the message is deleted or the SDK is freed", arguments: End.allCases)
    func ends(end: End) async throws {
        let receipt = try waiting(end)
        #expect(await states(of: receipt.fate) == [.queued])
    }

    @Test("the next user's messages are not ended with those of the first")
    func handOver() async throws {
        let chat = TestChat(in: folder)
        _ = try chat.open()
        let screen = try chat.open(ChatUser(identifier: "client-2"))
        let receipt = try await screen.send("of the second")
        chat.settle()
        chat.network.sink(
            .received(
                try #require(chat.network.live),
                ServerFrame(
                    .statuses([
                        StatusChange(messageID: receipt.id.text, status: .read)
                    ]))))
        chat.settle()
        #expect(await states(of: receipt.fate).last == .read)
    }

    @Test("every watcher of a message gets all states, even if another one stops")
    func several() async throws {
        let table = DeliveryWaiters()
        let id = MessageID("m")
        var first: ChatMessageFate? = table.watch(id)
        let second = table.watch(id)
        let third = table.watch(id, from: .sending)
        withExtendedLifetime(first) {}
        first = nil
        table.tell(id, .sent)
        table.tell(id, .read)
        #expect(await states(of: second) == [.sent, .read])
        #expect(await states(of: third) == [.sending, .sent, .read])
        #expect(table.ids.isEmpty)
        #expect(await states(of: table.watch(id, from: .read)) == [.read], "no state follows")
        let late = table.watch(id)
        table.finishAll()
        #expect(await states(of: late) == [])
        #expect(await states(of: table.watch(id)) == [], "the chat has ended")
    }

    @Test("the same place twice gives the same message, and a failed place is sent again")
    func places() async throws {
        let chat = TestChat(in: folder)
        _ = try chat.open()
        let place = ChatMessage.location(CGPoint(x: 1, y: 2))
        let first = try await chat.sdk.send(place)
        chat.settle()
        let second = try await chat.sdk.send(place)
        #expect(first.id == second.id)
        chat.network.sink(
            .received(
                try #require(chat.network.live),
                ServerFrame(
                    .statuses([
                        StatusChange(messageID: first.id.text, status: .read)
                    ]))))
        chat.settle()
        #expect(await states(of: first.fate).last == .read)
        #expect(await states(of: second.fate) == [.sent, .read])
        #expect(await states(of: try chat.sdk.send(place).fate) == [.read])
        chat.network.script.answerToMessage = { _ in
            .failure(action: "sendMessage", ErrorAnswer("NO"))
        }
        let failed = try await chat.sdk.send(.location(CGPoint(x: 3, y: 4)))
        chat.settle()
        let again = try await chat.sdk.send(.location(CGPoint(x: 3, y: 4)))
        #expect(failed.id != again.id)
    }

    @Test("a download for a screen whose SDK was freed fails")
    func downloadWithoutSDK() async throws {
        func screen() throws -> ChatScreen { try TestChat(in: folder).open() }
        let screen = try screen()
        await #expect(throws: CancellationError.self) { try await screen.download(reference: "file-1") }
    }
}
