import ChatCenterCore
import ChatWire
import Testing

/// Tests the search on the server, in the store and on the screen.
@Suite struct SearchTests {
    func chat(_ texts: [String], _ settings: ChatSettings = ChatSettings(providerUID: "p")) -> Chat {
        var chat = Chat(settings)
        for (number, text) in texts.enumerated() { _ = chat.server.says(text, uuid: "o-\(number)") }
        chat.authorize()
        return chat
    }

    func answer(_ chat: Chat, _ ticket: UInt64) -> Result<SearchAnswer, RequestFailure>? {
        chat.notices.compactMap { notice in
            if case .searchAnswer(Ticket(ticket), let result) = notice { result } else { nil }
        }.last
    }

    func found(_ chat: Chat, _ ticket: UInt64) -> [String]? {
        if case .success(let answer) = answer(chat, ticket) { answer.content.compactMap(\.text) } else { nil }
    }

    func calls(_ chat: Chat) -> [RESTRequest] {
        chat.networkCommands.compactMap { command in
            if case .call(_, let call) = command, case .search = call.request { call.request } else { nil }
        }
    }

    @Test func onTheServerIfItIsReachable() {
        var chat = chat(["red card", "blue card"])
        chat.handle(.search(Ticket(1), query: "red", page: 0))
        #expect(found(chat, 1) == ["red card"])
        #expect(calls(chat) == [.search(query: "red", page: 0, size: 30)])
    }

    @Test func onThisDeviceWithoutANetwork() {
        var chat = chat(["red card", "blue card", "the cardinal"])
        chat.handle(.network(.pathChanged(hasRoute: false)))
        chat.handle(.search(Ticket(1), query: "CARD", page: 0))
        #expect(found(chat, 1) == ["the cardinal", "blue card", "red card"], "newest first")
        #expect(calls(chat).isEmpty)
        chat.handle(.network(.pathChanged(hasRoute: true)))
        chat.handle(.search(Ticket(2), query: "card", page: 0))
        #expect(calls(chat).count == 1)
        chat.handle(.network(.path(NetworkPath(identity: "wifi", hasRoute: false))))
        chat.handle(.search(Ticket(3), query: "card", page: 0))
        #expect(found(chat, 3)?.count == 3)
        #expect(calls(chat).count == 1)
    }

    @Test func onThisDeviceIfTheServerDoesNotRespond() {
        var chat = chat(["red card"])
        chat.isLive = false
        chat.handle(.search(Ticket(1), query: "red", page: 0))
        guard case .call(let id, _) = chat.takeCommand() else {
            Issue.record("the server was not called")
            return
        }
        chat.isLive = true
        chat.handle(.network(.answered(id, .failure(TransportFailure(.timedOut, errorID: 3)))))
        #expect(found(chat, 1) == ["red card"])
        #expect(
            chat.notices.contains(.networkProblem(.call(.search, TransportFailure(.timedOut, errorID: 3)))),
            "the failure is reported")
    }

    @Test func pagesOfTheStore() {
        var local = ChatLocalSettings.standard
        local.historyLoadingCount = 2
        var chat = chat((0..<2).map { "card \($0)" }, ChatSettings(providerUID: "p", local: local))
        chat.open()
        for number in 2..<5 { chat.push(chat.server.says("card \(number)", uuid: "o-\(number)")) }
        chat.handle(.network(.pathChanged(hasRoute: false)))
        for page in 0..<3 { chat.handle(.search(Ticket(UInt64(page)), query: "card", page: Int64(page))) }
        #expect(found(chat, 0) == ["card 4", "card 3"])
        #expect(found(chat, 1) == ["card 2", "card 1"])
        #expect(found(chat, 2) == ["card 0"])
        chat.handle(.search(Ticket(9), query: "card", page: .max))
        chat.handle(.search(Ticket(10), query: "card", page: .min))
        #expect(found(chat, 9) == [])
        #expect(found(chat, 10) == ["card 4", "card 3"])
    }

    @Test func invalidQueriesAreNotSearched() {
        var local = ChatLocalSettings.standard
        local.searchEnabled = false
        var off = chat(["x"], ChatSettings(providerUID: "p", local: local))
        off.handle(.search(Ticket(1), query: "x", page: 0))
        #expect(answer(off, 1) == .failure(.disabled))
        off.handle(.searchTyped("x"))
        #expect(off.screen.search == nil)
        #expect(!off.screen.showsSearch)

        var chat = chat(["x"])
        chat.handle(.search(Ticket(1), query: " \n", page: 0))
        #expect(found(chat, 1) == [])
        #expect(calls(chat).isEmpty)
        var nobody = Chat()
        nobody.handle(.search(Ticket(1), query: "x", page: 0))
        #expect(answer(nobody, 1) == .failure(.notAuthorized))
    }

    @Test func pendingSearchesEndWhenTheUserLeaves() {
        var chat = chat(["x"])
        chat.isLive = false
        chat.handle(.search(Ticket(1), query: "x", page: 0))
        chat.handle(.network(.pathChanged(hasRoute: false)))
        chat.handle(.search(Ticket(2), query: "x", page: 0))
        chat.handle(.searchTyped("x"))
        chat.handle(.deauthorize)
        #expect(answer(chat, 1) == .failure(.superseded))
        #expect(answer(chat, 2) == .failure(.superseded))
        #expect(chat.screen.search == nil)
    }

    // MARK: On the screen

    @Test func theScreenSearchesWhenTheUserStopsTyping() {
        var chat = chat(["red card", "blue card"])
        chat.open()
        for text in ["r", "re", "red"] { chat.handle(.searchTyped(text)) }
        #expect(chat.screen.search?.isSearching == true)
        #expect(calls(chat).isEmpty)
        chat.advance(milliseconds: 300)
        #expect(calls(chat) == [.search(query: "red", page: 0, size: 30)])
        #expect(chat.screen.search?.results.map(\.text) == ["red card"])
        #expect(chat.screen.search?.isSearching == false)
        #expect(chat.screen.search?.isLocal == false)
        chat.handle(.searchTyped(""))
        #expect(chat.screen.search == nil)
    }

    @Test func aResponseToAnEarlierQueryIsNotShown() {
        var chat = chat(["red card", "blue card"])
        chat.open()
        chat.isLive = false
        chat.handle(.searchTyped("red"))
        chat.advance(milliseconds: 300)
        let first = chat.takeCommand()
        chat.handle(.searchTyped("blue"))
        if case .call(let id, _) = first {
            #expect(chat.networkCommands.contains(.cancel(.call(id))))
            for event in chat.server.answer(first ?? .cancel(.call(id))) { chat.handle(.network(event)) }
        }
        #expect(chat.screen.search?.results.isEmpty == true)
        chat.dropCommands()
        chat.isLive = true
        chat.advance(milliseconds: 300)
        #expect(chat.screen.search?.results.map(\.text) == ["blue card"])
    }

    @Test func theScreenShowsWhenResultsAreLocalOnly() {
        var chat = chat(["red card"])
        chat.open()
        chat.isLive = false
        chat.handle(.searchTyped("red"))
        chat.advance(milliseconds: 300)
        guard case .call(let id, _) = chat.takeCommand() else {
            Issue.record("the server was not called")
            return
        }
        chat.isLive = true
        let failure = TransportFailure(.refused, status: 503, errorID: 9)
        chat.handle(.network(.answered(id, .failure(failure))))
        #expect(chat.screen.search?.isLocal == true)
        #expect(chat.screen.search?.failure == failure)
        #expect(chat.screen.search?.results.count == 1)
    }

    @Test func morePagesAreAddedWithoutDuplicates() {
        var local = ChatLocalSettings.standard
        local.historyLoadingCount = 2
        var chat = chat((0..<2).map { "card \($0)" }, ChatSettings(providerUID: "p", local: local))
        chat.open()
        for number in 2..<5 { chat.push(chat.server.says("card \(number)", uuid: "o-\(number)")) }
        chat.handle(.network(.pathChanged(hasRoute: false)))
        chat.handle(.searchTyped("card"))
        chat.advance(milliseconds: 300)
        #expect(chat.screen.search?.hasMore == true)
        chat.handle(.searchMore)
        // A new message shifts the results by one.
        chat.push(chat.server.says("card 5", uuid: "o-5"))
        chat.handle(.searchMore)
        let found = chat.screen.search?.results.compactMap(\.text) ?? []
        #expect(Set(found).count == found.count)
        #expect(found.prefix(4) == ["card 4", "card 3", "card 2", "card 1"])
        #expect(chat.screen.search?.hasMore == false)
        chat.handle(.searchMore)
    }
}
