import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests the surroundings of a message with the core, its store and a server.
@Suite struct ContextTests {
    /// Returns a chat whose server has `count` messages. The newest 30 are in the conversation.
    func chat(_ count: Int) -> Chat {
        var chat = Chat()
        for number in 0..<count { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.authorize()
        chat.open()
        chat.forgetEffects()
        return chat
    }

    /// Returns a chat whose store has 150 messages. The newest 100 are in the conversation. The server is silent.
    func storedChat() -> Chat {
        var chat = Chat()
        for number in 0..<150 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.authorize()
        for _ in 0..<5 { chat.handle(.loadOlder) }
        chat.restart()
        chat.server.silence = .history
        chat.authorize()
        chat.open()
        chat.forgetEffects()
        return chat
    }

    func requests(_ chat: Chat) -> [HistoryRequest] {
        chat.networkCommands.compactMap { command in
            guard case .call(_, let call) = command, case .history(let request) = call.request else { return nil }
            return request
        }
    }

    func numbers(_ chat: Chat) -> [Int] { chat.screen.context?.messages.compactMap { Int($0.text ?? "") } ?? [] }

    // MARK: Opening

    @Test func aStoredMessageOpensFromTheStore() {
        var chat = storedChat()
        chat.handle(.showContext(MessageID("o-10")))
        #expect(chat.screen.context?.target == MessageID("o-10"))
        #expect(numbers(chat) == Array(0...40))
        #expect(chat.screen.context?.older == .idle)
        #expect(chat.screen.context?.newer == .idle)
        #expect(requests(chat).isEmpty)
        #expect(chat.screen.messages.count == 100, "the conversation does not change")
    }

    @Test func aMessageThatTheStoreLacksOpensFromTheServer() {
        var chat = chat(100)
        chat.handle(.showContext(MessageID("o-20")))
        #expect(
            requests(chat) == [
                HistoryRequest(.after(uuid: "o-20"), count: 30), HistoryRequest(.before(uuid: "o-21"), count: 30),
            ])
        #expect(numbers(chat) == Array(0...50))
        #expect(chat.screen.context?.older == .atEnd)
        #expect(chat.screen.context?.newer == .idle)
        #expect(chat.screen.messages.count == 30)
        let stored = chat.stores.of("ann").contents.orderedMessages
        #expect(stored.count == 30, "the messages would look like a history without a gap, so they are not stored")
    }

    @Test func aMessageOfTheConversationIsScrolledTo() {
        var chat = chat(100)
        let before = chat.screen.scroll.number
        chat.handle(.showContext(MessageID("o-80")))
        #expect(chat.screen.context == nil)
        #expect(chat.screen.scroll.target == MessageID("o-80"))
        #expect(chat.screen.scroll.number == before + 1)
        #expect(requests(chat).isEmpty)
    }

    @Test("a search result opens its surroundings")
    func searchResult() {
        var chat = chat(100)
        chat.handle(.searchTyped("17"))
        chat.advance(milliseconds: 1000)
        let hit = chat.screen.search?.results.first?.id
        #expect(hit == MessageID("o-17"))
        chat.handle(.showContext(MessageID("o-17")))
        #expect(chat.screen.context?.messages.contains { $0.id == hit } == true)
    }

    // MARK: Both directions

    @Test func olderMessagesComeFromTheStoreThenFromTheServer() {
        var chat = storedChat()
        chat.server.silence = []
        // The server has older messages than the store.
        let older = (0..<10).map { number in
            Content(
                .message, uuid: "p-\(number)", operator: Operator(name: "Eva"), text: "\(number - 10)",
                receivedDate: Int64(1000 + number))
        }
        chat.server.history.insert(contentsOf: older, at: 0)
        chat.handle(.showContext(MessageID("o-45")))
        #expect(numbers(chat) == Array(15...75))
        chat.forgetEffects()
        chat.handle(.loadOlderContext)
        #expect(numbers(chat) == Array(0...75))
        #expect(requests(chat).isEmpty)
        #expect(chat.screen.context?.older == .idle)
        chat.handle(.loadOlderContext)
        #expect(requests(chat) == [HistoryRequest(.before(uuid: "o-0"), count: 30)])
        #expect(numbers(chat) == Array(-10...75))
        #expect(chat.screen.context?.older == .atEnd)
        chat.forgetEffects()
        chat.handle(.loadOlderContext)
        #expect(requests(chat).isEmpty)
    }

    @Test func newerMessagesAreLoadedUntilTheConversationBegins() {
        var chat = chat(100)
        chat.handle(.showContext(MessageID("o-10")))
        #expect(numbers(chat) == Array(0...40))
        chat.handle(.loadNewerContext)
        #expect(numbers(chat) == Array(0...70))
        #expect(chat.screen.context?.newer == .atEnd, "70 is also in the conversation")
        chat.forgetEffects()
        chat.handle(.loadNewerContext)
        #expect(requests(chat).isEmpty)
        chat.handle(.closeContext)
        #expect(chat.screen.context == nil)
        #expect(chat.screen.scroll.target == MessageID("o-70"), "the view continues where the two windows meet")
    }

    @Test func newerStoredMessagesJoinTheConversation() {
        var chat = storedChat()
        chat.handle(.showContext(MessageID("o-5")))
        #expect(chat.screen.context?.newer == .idle)
        chat.handle(.loadNewerContext)
        #expect(numbers(chat) == Array(0...65))
        #expect(chat.screen.context?.newer == .atEnd)
        #expect(requests(chat).isEmpty)
    }

    @Test func closingEarlyDoesNotScroll() {
        var chat = chat(100)
        chat.handle(.showContext(MessageID("o-10")))
        let scroll = chat.screen.scroll
        chat.handle(.closeContext)
        #expect(chat.screen.context == nil)
        #expect(chat.screen.scroll == scroll)
    }

    // MARK: Changes

    @Test("edits and deletions change the rows", arguments: [false, true])
    func changes(isStored: Bool) {
        var chat = isStored ? storedChat() : chat(150)
        chat.handle(.showContext(MessageID("o-10")))
        var speech = Content(.speechMessageUpdated, uuid: "o-13")
        speech.speechText = "spoken"
        chat.push(
            Content(.messageEdited, uuid: "o-11", text: "new text"), Content(.messageDeleted, uuid: "o-12"), speech)
        let rows = chat.screen.context?.messages ?? []
        #expect(rows.first { $0.id.text == "o-11" }?.text == "new text")
        #expect(rows.first { $0.id.text == "o-11" }?.isEdited == true)
        #expect(rows.first { $0.id.text == "o-12" }?.kind == .deleted)
        #expect(rows.first { $0.id.text == "o-13" }?.speech?.text == "spoken")
    }

    @Test func theStateOfAnOwnMessageChanges() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.send("mine", "a-1")
        for number in 0..<150 { chat.push(chat.server.says("\(number)", uuid: "o-\(number)")) }
        chat.restart()
        chat.server.silence = .history
        chat.authorize()
        chat.open()
        #expect(chat.message("a-1") == nil, "the message is only in the store")
        chat.handle(.showContext(MessageID("a-1")))
        #expect(chat.screen.context?.messages.first?.author == .me(.sent))
        guard let generation = chat.core.liveGeneration else {
            Issue.record("there is no socket")
            return
        }
        let change = StatusChange(messageID: "m-a-1", status: .read)
        chat.handle(.network(.received(generation, ServerFrame(.statuses([change])))))
        #expect(chat.screen.context?.messages.first?.author == .me(.read))
    }

    // MARK: Failures

    @Test func aFailureIsShownAndCanBeRetried() {
        var chat = chat(100)
        chat.server.historyStatus = 500
        chat.handle(.showContext(MessageID("o-20")))
        let failure = TransportFailure(.refused, status: 500)
        #expect(chat.screen.context?.older == .failed(failure))
        #expect(chat.screen.context?.newer == .failed(failure))
        #expect(chat.screen.context?.messages.isEmpty == true)
        chat.server.historyStatus = nil
        chat.handle(.loadOlderContext)
        #expect(numbers(chat) == Array(0...50))
        chat.server.historyStatus = 503
        chat.handle(.loadNewerContext)
        #expect(chat.screen.context?.newer == .failed(TransportFailure(.refused, status: 503)))
        #expect(numbers(chat) == Array(0...50))
        chat.server.historyStatus = nil
        chat.handle(.loadNewerContext)
        #expect(numbers(chat) == Array(0...80))
    }

    @Test func aMessageThatTheServerDoesNotKnowFails() {
        var chat = chat(100)
        chat.handle(.showContext(MessageID("nobody")))
        guard case .failed(let failure) = chat.screen.context?.older else {
            Issue.record("the context did not fail")
            return
        }
        #expect(failure.status == 404)
        chat.handle(.closeContext)
        #expect(chat.screen.context == nil)
    }

    @Test func aNewScreenAndALogoutCloseTheContext() {
        var chat = chat(100)
        chat.handle(.showContext(MessageID("o-20")))
        chat.open(2)
        #expect(chat.screen.context == nil)
        chat.handle(.showContext(MessageID("o-20")))
        chat.handle(.logout(Ticket(9)))
        #expect(chat.screen.context == nil)
    }
}
