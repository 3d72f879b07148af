import ChatCenterCore
import ChatWire
import Foundation
import Synchronization
import Testing

@testable import ChatCenter

/// Every public method of the chat, called from within the chat's own callbacks.
@Suite(.timeLimit(.minutes(2))) struct ReentrancyTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns a chat with an open screen, and what the methods need: a message with a file and a button.
    private func place(of chat: TestChat) throws -> ReentrantCalls.Place {
        let screen = try chat.open()
        chat.network.push(
            Content(
                .message, uuid: "q", operator: Operator(id: "1", role: .bot), text: "Sure?",
                receivedDate: 1_900_000_000_000,
                attachments: [Attachment(result: "file-1", name: "a.txt", type: "text/plain", size: 3, state: .ready)],
                quickReplies: [QuickReply(id: "7", text: "Yes", payload: "p")]))
        chat.settle()
        let row = try #require(screen.state.message(MessageID("q")))
        return ReentrantCalls.Place(
            sdk: chat.sdk, screen: screen, button: try #require(row.buttons.first),
            file: try #require(row.files.first), path: try folder.write("a.txt", [1, 2, 3]), folder: folder.url)
    }

    /// Checks that the chat works as before: another screen shows a message that is sent now.
    private func expectUsable(_ chat: TestChat) throws {
        chat.network.script.refusesTokens = false
        chat.sdk.deauthorizeUser()
        let screen = try chat.open(ChatUser(identifier: "client-9"))
        try screen.send("at the end")
        chat.settle()
        #expect(chat.sdk.isAuthorized)
        #expect(screen.state.messages.map(\.text) == ["at the end"])
        #expect(chat.network.sentTexts.last == "at the end")
    }

    @Test("an observer may call every method")
    func observer() async throws {
        let chat = TestChat(in: folder, logLevel: .all)
        let place = try place(of: chat)
        let observer = CallingObserver(place)
        chat.sdk.observer = observer
        // Reasons for each kind of callback: a log line, an unread message, an error of the network, and a link.
        place.screen.viewDidDisappear()
        chat.network.push(
            Content(.message, uuid: "m", operator: Operator(id: "1"), text: "unread", receivedDate: 1_900_000_000_001))
        chat.settle()
        chat.network.breakSocket()
        chat.settle()
        if let link = URL(string: "https://example.com/") { _ = place.screen.open(link) }
        chat.settle()
        #expect(observer.rounds.values.count == CallingObserver.most)
        let tasks = observer.tasks.values
        #expect(tasks.count == CallingObserver.most * ReentrantCalls.waiting.count)
        for task in tasks { _ = await task.result }
        chat.sdk.observer = nil
        try expectUsable(chat)
    }

    @Test("a token provider may call every method, and wait for those that need no answer of the server")
    func tokenProvider() async throws {
        let held = Mutex<ReentrantCalls.Place?>(nil)
        let rounds = Noted<Bool>()
        let tasks = Noted<Task<Void, any Error>>()
        let chat = TestChat(
            in: folder,
            tokenProvider: {
                // One round: a second one could run while the test checks the chat.
                guard let place = held.withLock({ $0.take() }) else { return nil }
                ReentrantCalls.callAll(place)
                for (name, call) in ReentrantCalls.waiting {
                    if ReentrantCalls.storing.contains(name) {
                        try? await call(place)
                    } else {
                        // The answer can need the token that this provider returns.
                        tasks.append(Task { try await call(place) })
                    }
                }
                rounds.append(true)
                return ChatAuth(token: "next")
            })
        let place = try place(of: chat)
        held.withLock { $0 = place }
        chat.network.script.refusesTokens = true
        place.screen.reload()
        chat.settle()
        while rounds.values.isEmpty { await Task.yield() }
        for task in tasks.values {
            task.cancel()
            _ = await task.result
        }
        #expect(tasks.values.count == ReentrantCalls.waiting.count - ReentrantCalls.storing.count)
        try expectUsable(chat)
    }

    @Test("a reader of screen states may call every method, and wait for each")
    func reader() async throws {
        let chat = TestChat(in: folder)
        let place = try place(of: chat)
        var rounds = 0
        for await _ in place.screen.states {
            ReentrantCalls.callAll(place)
            for (_, call) in ReentrantCalls.waiting {
                chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
                try? await call(place)
            }
            rounds += 1
            if rounds == 2 { break }
        }
        #expect(rounds > 0)
        try expectUsable(chat)
    }

    @Test("the tests above call each public method")
    func completeness() throws {
        let pattern = /^ChatCenter\.(ChatCenterUISDK|ChatScreen)\.([A-Za-z]+)\b(.*)$/
        let api = try Documents.text(of: "docs/api/ChatCenter.txt").split(separator: "\n").compactMap { line in
            line.replacing("static ", with: "", maxReplacements: 1).firstMatch(of: pattern).flatMap { match in
                let isAsync = match.output.3.contains(" async ")
                // Initializers and constants cannot wait for anything.
                return match.output.3.contains("[Constructor") || match.output.3.contains("[Var; let")
                    ? nil : "\(match.output.1).\(match.output.2)" + (isAsync ? " async" : "")
            }
        }
        let called = ReentrantCalls.immediate.map(\.name) + ReentrantCalls.waiting.map(\.name)
        #expect(Set(api).subtracting(called) == [], "these methods are not called")
        #expect(Set(called).subtracting(api) == [], "these methods do not exist")
        #expect(api.count > 70)
    }

    /// Calls the chat in a limited number of its callbacks, to prevent endless recursion.
    private final class CallingObserver: ChatCenterUISDKObserver {
        static let most = 3
        let rounds = Noted<Bool>()
        let tasks = Noted<Task<Void, any Error>>()
        private let place: ReentrantCalls.Place

        init(_ place: ReentrantCalls.Place) {
            self.place = place
        }

        func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) { called() }
        func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) { called() }
        func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error) { called() }
        func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool {
            called()
            return true
        }

        private func called() {
            guard rounds.values.count < Self.most else { return }
            rounds.append(true)
            ReentrantCalls.callAll(place)
            for (_, call) in ReentrantCalls.waiting { tasks.append(Task { [place] in try await call(place) }) }
        }
    }
}
