import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests missed and older messages, and what is stored.
@Suite struct HistoryTests {
    func requests(_ chat: Chat) -> [HistoryRequest] {
        chat.networkCommands.compactMap { command in
            guard case .call(_, let call) = command, case .history(let request) = call.request else { return nil }
            return request
        }
    }

    /// Returns a chat with a conversation of `count` messages.
    func chat(_ count: Int, _ settings: ChatSettings = ChatSettings(providerUID: "p")) -> Chat {
        var chat = Chat(settings)
        for number in 0..<count { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.authorize()
        return chat
    }

    func texts(_ chat: Chat) -> [Int] { chat.screen.messages.compactMap { Int($0.text ?? "") } }

    @Test func theFirstPageIsTheNewestAndHasTheConfiguredSize() {
        var local = ChatLocalSettings.standard
        local.historyLoadingCount = 7
        var chat = chat(50, ChatSettings(providerUID: "p", local: local))
        #expect(requests(chat) == [HistoryRequest(.newest, count: 7)])
        #expect(texts(chat) == Array(43..<50))
        // Later pages have the same size.
        for first in [43, 36, 29] {
            chat.forgetEffects()
            chat.handle(.loadOlder)
            #expect(requests(chat) == [HistoryRequest(.before(uuid: "o-\(first)"), count: 7)])
        }
        #expect(texts(chat) == Array(22..<50))
    }

    @Test(
        "missed messages are loaded in pages of catchUpPageSize",
        arguments: [(500, 500), (40, 40), (0, 1), (5000, 1000)])
    func missedMessages(_ size: Int, _ count: Int64) {
        var chat = chat(3, ChatSettings(providerUID: "p", catchUpPageSize: size))
        chat.forgetEffects()
        for number in 3..<40 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.open()
        #expect(requests(chat).first == HistoryRequest(.after(uuid: "o-2"), count: count))
        #expect(requests(chat).allSatisfy { $0.count == count })
        #expect(texts(chat) == Array(0..<40))
    }

    @Test func olderPagesComeFromTheServerUntilTheBeginning() {
        var chat = chat(50)
        #expect(texts(chat) == Array(20..<50))
        #expect(chat.screen.paging == .idle)
        chat.handle(.loadOlder)
        #expect(texts(chat) == Array(0..<50))
        #expect(chat.screen.paging == .atBeginning)
        chat.forgetEffects()
        chat.handle(.loadOlder)
        #expect(requests(chat).isEmpty)
    }

    @Test func olderMessagesWithEqualTimesKeepTheirOrder() {
        var chat = Chat()
        chat.server.history = (0..<60).map { number in
            Content(
                .message, uuid: "o-\(number)", operator: Operator(name: "Eva"), text: "\(number)", receivedDate: 1000)
        }
        chat.authorize()
        chat.handle(.loadOlder)
        #expect(texts(chat) == Array(0..<60))
    }

    @Test func aFailedPageCanBeRetried() {
        var chat = chat(50)
        chat.server.historyStatus = 500
        chat.handle(.loadOlder)
        #expect(chat.screen.paging == .failed(TransportFailure(.refused, status: 500)))
        chat.server.historyStatus = nil
        chat.handle(.loadOlder)
        #expect(chat.screen.paging == .atBeginning)
    }

    @Test func afterARestartTheStoreShowsItsMessagesFirst() {
        var chat = chat(150)
        for _ in 0..<5 { chat.handle(.loadOlder) }
        #expect(texts(chat) == Array(0..<150))
        chat.restart()
        chat.server.historyStatus = 503
        chat.authorize()
        #expect(texts(chat) == Array(50..<150), "the restored window")
        chat.forgetEffects()
        chat.handle(.loadOlder)
        #expect(texts(chat) == Array(20..<150))
        chat.handle(.loadOlder)
        #expect(texts(chat) == Array(0..<150))
        #expect(requests(chat).isEmpty)
        chat.handle(.loadOlder)
        #expect(requests(chat) == [HistoryRequest(.before(uuid: "o-0"), count: 30)], "then from the server")
    }

    @Test func theGapIsFetchedFromTheCursorToTheEnd() {
        var chat = chat(10)
        chat.open()
        chat.close()
        for number in 10..<510 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.forgetEffects()
        chat.open(2)
        #expect(
            requests(chat) == [
                HistoryRequest(.after(uuid: "o-9"), count: 500), HistoryRequest(.after(uuid: "o-509"), count: 500),
                // Requested again when the socket is ready, because messages may have arrived in between.
                HistoryRequest(.after(uuid: "o-509"), count: 500),
            ])
        #expect(texts(chat) == Array(0..<510))
        #expect(chat.stores.of("ann").contents.cursor == "o-509")
    }

    @Test func aServerThatReturnsFewerMessagesLosesNothing() {
        var chat = Chat()
        chat.server.longestPage = 50
        for number in 0..<10 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.authorize()
        for number in 10..<333 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.open()
        #expect(texts(chat) == Array(0..<333))
    }

    @Test func aPushedMessageDoesNotMoveTheCursor() {
        var chat = chat(3)
        chat.open()
        // The push of one message is lost, the push of the next one arrives.
        _ = chat.server.says("3", uuid: "o-3")
        chat.push(chat.server.says("4", uuid: "o-4"))
        #expect(texts(chat) == [0, 1, 2, 4])
        chat.breakLink()
        #expect(texts(chat) == [0, 1, 2, 3, 4])
    }

    @Test func longTransactionsAreSplit() {
        var chat = Chat()
        for number in 0..<130 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.server.configuration.channelConfig = ChannelOverrides(historyLoadingCount: 130)
        chat.isLive = false
        chat.authorize()
        chat.serve()
        chat.handle(.reload)
        chat.serve()
        let sizes = chat.effects.compactMap { effect -> Int? in
            if case .commit(let transaction) = effect { transaction.changes.count } else { nil }
        }
        #expect(sizes.max() ?? 0 <= 50)
    }

    @Test func aForgottenCursorRestartsTheHistory() {
        var chat = chat(3)
        chat.server.history.removeAll { $0.uuid == "o-2" }
        _ = chat.server.says("3", uuid: "o-3")
        chat.open()
        #expect(texts(chat) == [0, 1, 2, 3])
        #expect(chat.stores.of("ann").contents.cursor == "o-3")
    }

    @Test func aConversationThatBeganOfflineIsFetchedFromItsBeginning() {
        var chat = chat(0)
        #expect(chat.stores.of("ann").contents.cursor == "")
        for number in 0..<450 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.restart()
        chat.authorize()
        #expect(texts(chat) == Array(0..<450))
        #expect(chat.screen.paging == .atBeginning)
        #expect(chat.stores.of("ann").contents.cursor == "o-449")
    }

    @Test func pagesFromTheNewestBackAreStoredTogetherOrNotAtAll() {
        var chat = chat(0)
        for number in 0..<450 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.isLive = false
        chat.handle(.reload)
        // One page arrives, then the process ends.
        if let command = chat.takeCommand() {
            for event in chat.server.answer(command) { chat.handle(.network(event)) }
        }
        #expect(chat.stores.of("ann").contents.orderedMessages.isEmpty)
        chat.restart()
        chat.isLive = true
        chat.authorize()
        #expect(texts(chat) == Array(0..<450))
    }

    @Test func afterAForgottenCursorPagesAreFetchedBackToKnownMessages() {
        var chat = chat(3)
        for number in 3..<500 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.server.history.removeAll { $0.uuid == "o-2" }
        chat.forgetEffects()
        chat.open()
        #expect(texts(chat) == Array(0..<500))
        #expect(
            requests(chat) == [
                HistoryRequest(.after(uuid: "o-2"), count: 500), HistoryRequest(.newest, count: 500),
                HistoryRequest(.after(uuid: "o-499"), count: 500),
            ])
        #expect(chat.notices.contains(.historyReset))
    }

    @Test func oneMessageFromTwoSourcesIsOneMessage() {
        var chat = chat(1)
        chat.open()
        let message = chat.server.says("1", uuid: "o-1")
        chat.push(message, message)
        chat.breakLink()
        #expect(texts(chat) == [0, 1])
        #expect(chat.notices.filter { if case .received = $0 { true } else { false } }.count == 1)
    }

    @Test func ownMessagesOfAnotherDeviceAreShownAsOwn() {
        var chat = chat(0)
        chat.open()
        let content = Content(.message, uuid: "x-1", operator: Operator(name: "me"), text: "mirror")
        let mirror = DeliveredMessage(messageID: "m", sentAt: 5, content: content, kind: .mirror)
        chat.handle(.network(.received(Generation(1), ServerFrame(.messages([mirror])))))
        #expect(chat.own("x-1") == .sent)
        chat.server.accept(Content(.message, uuid: "x-2", text: "history"))
        chat.breakLink()
        #expect(chat.own("x-2") == .sent)
    }

    @Test func editsAndDeletionsAreAppliedOnScreenAndInTheStore() {
        var chat = chat(40)
        chat.open()
        chat.push(
            Content(.messageEdited, uuid: "o-39", text: "better"), Content(.messageDeleted, uuid: "o-38"),
            Content(.attachmentUpdated, uuid: "o-37", attachments: [Attachment(id: "f", state: .expired)]))
        #expect(chat.message("o-39")?.text == "better")
        #expect(chat.message("o-39")?.isEdited == true)
        #expect(chat.message("o-38")?.kind == .deleted)
        #expect(chat.message("o-38")?.text == nil)
        #expect(chat.message("o-37")?.files.count == 1)

        // A message that only the store contains.
        chat.handle(.loadOlder)
        chat.restart()
        let restored = (try? chat.stores.of("ann").restore(window: 3)) ?? .empty
        chat.handle(.authorize(Chat.user, Chat.token, restored: restored))
        chat.open()
        #expect(chat.message("o-0") == nil)
        chat.push(Content(.messageDeleted, uuid: "o-0"))
        let stored = chat.stores.of("ann").contents.orderedMessages.first { $0.id == MessageID("o-0") }
        #expect(stored?.content.modified == .deleted)
    }

    @Test func searchIsAnsweredByTheServer() {
        var chat = chat(5)
        chat.handle(.search(Ticket(9), query: "3", page: 0))
        let hits = chat.notices.compactMap { notice -> [String?]? in
            if case .searchAnswer(Ticket(9), .success(let answer)) = notice { answer.content.map(\.text) } else { nil }
        }
        #expect(hits == [["3"]])
    }

    @Test func aRepeatedItemWithoutAnIdIsOneItem() {
        var chat = chat(0)
        chat.open()
        let notice = Content(.averageWaitTime, text: "5 min", receivedDate: 77)
        chat.push(notice)
        chat.server.history = [notice]
        chat.breakLink()
        #expect(chat.screen.messages.map(\.text) == ["5 min"])
        #expect(chat.screen.messages.first?.author == .system)
    }

    /// The server pushes unacknowledged messages of any age. Without this rule, messages between such a message and the
    /// newest page would never be requested.
    @Test(arguments: [false, true])
    func anOldPushedMessageLeavesNoGap(comesFirst: Bool) {
        var local = ChatLocalSettings.standard
        local.historyLoadingCount = 5
        var chat = Chat(ChatSettings(providerUID: "p", local: local))
        let old = chat.server.says("old", uuid: "o-1")
        for number in 1...8 { chat.server.accept(Content(.message, uuid: "a-\(number)", text: "\(number)")) }
        // The server assigns a time to each message.
        for index in chat.server.history.indices {
            chat.server.history[index].receivedDate = 1_600_000_000_000 + Int64(index)
        }
        var pushed = old
        pushed.receivedDate = 1_600_000_000_000
        if comesFirst { chat.server.silence = .history }
        chat.authorize()
        chat.open()
        chat.push(pushed)
        if comesFirst {
            chat.server.silence = []
            chat.breakLink()
            chat.handle(.network(.answered(CallID(2), .failure(TransportFailure(.timedOut)))))
            chat.advance(milliseconds: 60_000)
        }
        #expect(chat.screen.messages.map(\.text) == ["old"] + (1...8).map { "\($0)" })
        #expect(chat.stores.of("ann").contents.orderedMessages.count == 9)
    }
}
