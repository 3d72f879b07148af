import ChatCenterCore
import ChatWire
import Testing

/// Tests how missed messages are loaded: the number of round trips, duplicates and notifications.
@Suite struct CatchingUpTests {
    func texts(_ chat: Chat) -> [Int] { chat.screen.messages.compactMap { Int($0.text ?? "") } }

    func chat(_ count: Int) -> Chat {
        var chat = Chat()
        for number in 0..<count { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.authorize()
        return chat
    }

    /// Answers all pending commands at once. Their results are handled in the next round.
    func roundTrips(_ chat: inout Chat, until isDone: (Chat) -> Bool) -> Int {
        var count = 0
        while !isDone(chat), count < 50 {
            count += 1
            var commands: [NetworkCommand] = []
            while let command = chat.takeCommand() { commands.append(command) }
            for command in commands {
                for event in chat.server.answer(command) { chat.handle(.network(event)) }
            }
        }
        return count
    }

    @Test func fiveHundredMissedMessagesAreLoadedInThreeRoundTrips() {
        var chat = chat(10)
        chat.open()
        chat.close()
        for number in 10..<510 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.isLive = false
        chat.open(2)
        let trips = roundTrips(&chat) { $0.state == .ready && $0.screen.messages.count == 510 }
        #expect(trips == 3, "upgrade, registerDevice, CLIENT_INFO; the history is loaded in parallel")
        #expect(texts(chat) == Array(0..<510))
    }

    @Test func theSameAfterALostConnection() {
        var chat = chat(10)
        chat.open()
        chat.isLive = false
        for number in 10..<510 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.breakLink()
        let trips = roundTrips(&chat) { $0.state == .ready && $0.screen.messages.count == 510 }
        #expect(trips == 3)
    }

    @Test func messagesBetweenTheHistoryAndTheSocketAreNotMissed() {
        var chat = chat(1)
        chat.isLive = false
        chat.open()
        // The history is answered before the socket is ready. Then an operator writes.
        var waiting: [NetworkCommand] = []
        while let command = chat.takeCommand() {
            guard case .call = command else {
                waiting.append(command)
                continue
            }
            for event in chat.server.answer(command) { chat.handle(.network(event)) }
        }
        _ = chat.server.says("1", uuid: "o-1")
        for command in waiting { for event in chat.server.answer(command) { chat.handle(.network(event)) } }
        chat.serve()
        #expect(texts(chat) == [0, 1])
    }

    @Test func theUserCanScrollBackBeyondTheUsualWindow() {
        var local = ChatLocalSettings.standard
        local.historyLoadingCount = 200
        var chat = Chat(ChatSettings(providerUID: "p", local: local))
        for number in 0..<2500 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.authorize()
        chat.open()
        for _ in 0..<13 { chat.handle(.loadOlder) }
        #expect(texts(chat) == Array(0..<2500))
        #expect(chat.screen.paging == .atBeginning)
        // A new message does not remove the visible beginning.
        chat.push(chat.server.says("2500", uuid: "o-2500"))
        #expect(texts(chat) == Array(0..<2501))
        chat.close()
        #expect(texts(chat) == Array(501..<2501), "the usual number of messages")
        chat.open(2)
        #expect(chat.screen.paging == .idle)
        chat.forgetEffects()
        chat.handle(.loadOlder)
        #expect(texts(chat) == Array(301..<2501), "loaded from the store")
        #expect(!chat.networkCommands.contains { if case .call = $0 { true } else { false } })
    }

    func gaps(_ chat: Chat) -> [Int] {
        chat.notices.compactMap { if case .gapFilled(let count) = $0 { count } else { nil } }
    }

    @Test func missedMessagesAreReportedOnceWithTheirNumber() {
        var chat = chat(3)
        #expect(gaps(chat).isEmpty, "the first page is not a gap")
        for number in 3..<1203 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.server.accept(Content(.message, uuid: "x", text: "mine, from elsewhere"))
        chat.open()
        #expect(gaps(chat) == [1200], "own messages are not counted")
        chat.breakLink()
        chat.advance(milliseconds: 60_000)
        #expect(gaps(chat) == [1200])
        #expect(!chat.notices.contains(.historyReset))
    }

    @Test func aRestartedHistoryIsReported() {
        var chat = chat(3)
        chat.server.history.removeAll { $0.uuid == "o-2" }
        _ = chat.server.says("3", uuid: "o-3")
        chat.open()
        #expect(chat.notices.count { $0 == .historyReset } == 1)
        #expect(gaps(chat) == [1])
    }

    @Test func oneItemWithTwoIdsIsOneItem() {
        var chat = chat(0)
        chat.open()
        // The push contains only the server's id, the history contains both ids.
        var content = Content(.message, operator: Operator(name: "Eva"), text: "1", receivedDate: chat.server.clock + 1)
        content.messageID = "m-1"
        chat.push(content)
        content.uuid = "o-1"
        chat.server.history.append(content)
        chat.breakLink()
        chat.advance(milliseconds: 60_000)
        #expect(texts(chat) == [1])
        #expect(chat.screen.unreadCount == 0)
    }

    @Test func missedMessagesAreReportedAsDeliveredWhileTheChatIsClosed() {
        var local = ChatLocalSettings.standard
        local.keepSocketActive = true
        var chat = Chat(ChatSettings(providerUID: "p", local: local))
        chat.authorize()
        chat.open()
        chat.close()
        _ = chat.server.says("1", uuid: "o-1")
        chat.handle(.reload)
        #expect(chat.server.statuses == [StatusChange(messageID: "m-o-1", status: .delivered)])
        #expect(chat.screen.unreadCount == 1)
    }

    /// Returns a chat whose cursor the server forgot, with more missed messages than are loaded in a row: 50 pages.
    private func afterALongAbsence(_ missed: Int) -> Chat {
        var chat = chat(3)
        for number in 3..<(3 + missed) { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        chat.server.history.removeAll { $0.uuid == "o-2" }
        chat.server.longestPage = 30
        chat.forgetEffects()
        chat.handle(.reload)
        return chat
    }

    @Test("a gap of more than 50 pages is loaded in parts with a pause between them")
    func moreThanFiftyPages() {
        var chat = afterALongAbsence(1600)
        let here = texts(chat)
        #expect(here.suffix(1500) == Array(103..<1603)[...], "loaded messages are shown")
        #expect(!chat.notices.contains(.historyReset))
        #expect(gaps(chat).isEmpty, "the gap is not closed yet")
        _ = chat.server.says("1603", uuid: "o-1603")
        chat.advance(milliseconds: 500)
        #expect(texts(chat).filter { $0 > 2 } == Array(3..<1604), "including messages that arrived meanwhile")
        #expect(chat.notices.count { $0 == .historyReset } == 1)
        #expect(gaps(chat) == [1601])
        chat.forgetEffects()
        chat.advance(milliseconds: 600_000)
        let calls = chat.networkCommands.filter { if case .call = $0 { true } else { false } }
        #expect(calls.isEmpty, "nothing is loaded twice")
    }

    @Test func aRestartBetweenTheParts() {
        var chat = afterALongAbsence(1600)
        chat.restart()
        chat.authorize()
        chat.open()
        chat.advance(milliseconds: 500)
        for _ in 0..<60 where chat.screen.paging != .atBeginning { chat.handle(.loadOlder) }
        #expect(texts(chat).filter { $0 > 2 } == Array(3..<1603))
    }

    @Test func theServerForgetsTheCursorOfTheRest() {
        var chat = afterALongAbsence(1600)
        chat.server.history.removeFirst(200)
        chat.advance(milliseconds: 500)
        chat.advance(milliseconds: 60_000)
        #expect(texts(chat).suffix(1402).count == 1402)
        #expect(chat.notices.contains(.historyReset))
        chat.forgetEffects()
        chat.advance(milliseconds: 600_000)
        let calls = chat.networkCommands.filter { if case .call = $0 { true } else { false } }
        #expect(calls.isEmpty, "no further calls")
    }

    @Test("an endless history is loaded with growing pauses after 50 pages")
    func withoutAnEnd() {
        var chat = chat(1)
        chat.isLive = false
        chat.handle(.reload)
        var pages = 0
        func answerAll() {
            while pages < 500, let command = chat.takeCommand() {
                guard case .call(let id, let call) = command, case .history = call.request else { continue }
                pages += 1
                let messages = (0..<100).map { Content(.message, uuid: "e-\(pages)-\($0)", text: "x") }
                chat.handle(.network(.answered(id, .success(.history(HistoryAnswer(messages: messages))))))
            }
        }
        answerAll()
        #expect(pages == 50)
        chat.advance(milliseconds: 499)
        answerAll()
        #expect(pages == 50)
        chat.advance(milliseconds: 1)
        answerAll()
        #expect(pages == 100)
        chat.advance(milliseconds: 999)
        answerAll()
        #expect(pages == 100)
        chat.advance(milliseconds: 1)
        answerAll()
        #expect(pages == 150)
    }
}
