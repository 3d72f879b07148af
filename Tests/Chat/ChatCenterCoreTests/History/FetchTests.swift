import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// The host application asks for missed messages, for example after a silent push.
@Suite struct FetchTests {
    /// Returns a chat in the background whose server has `count` messages that the chat does not know.
    private func chat(missing count: Int, _ settings: ChatSettings = ChatSettings(providerUID: "p")) -> Chat {
        var chat = Chat(settings)
        _ = chat.server.says("0", uuid: "o-0")
        chat.authorize()
        chat.handle(.enteredBackground)
        chat.forgetEffects()
        for number in 1...max(1, count) where count > 0 { _ = chat.server.says("\(number)", uuid: "o-\(number)") }
        return chat
    }

    private func answers(_ chat: Chat) -> [Result<Int, RequestFailure>] {
        chat.notices.compactMap { if case .fetched(_, let result) = $0 { result } else { nil } }
    }

    @Test func missedMessagesAreLoadedInTheBackground() {
        var chat = chat(missing: 3)
        chat.advance(milliseconds: 600_000)
        #expect(chat.networkCommands.isEmpty, "nothing happens in the background by itself")
        chat.handle(.fetchMissed(Ticket(5)))
        #expect(chat.notices.contains(.fetched(Ticket(5), .success(3))))
        #expect(chat.screen.messages.compactMap(\.text) == ["0", "1", "2", "3"])
        #expect(chat.core.nextWake == nil, "no timer runs in the background")
        let opensSocket = chat.networkCommands.contains { if case .openSocket = $0 { true } else { false } }
        #expect(!opensSocket)
        chat.forgetEffects()
        chat.handle(.fetchMissed(Ticket(6)))
        #expect(chat.notices.contains(.fetched(Ticket(6), .success(0))), "nothing is new")
    }

    @Test func allPagesAreLoaded() {
        var chat = chat(missing: 200, ChatSettings(providerUID: "p", catchUpPageSize: 40))
        chat.handle(.fetchMissed(Ticket(1)))
        #expect(answers(chat) == [.success(200)])
    }

    @Test func withoutARequestNothingIsLoadedInTheBackground() {
        var chat = chat(missing: 3)
        chat.handle(.reload)
        #expect(chat.networkCommands.isEmpty)
        chat.handle(.enteredForeground)
        #expect(chat.screen.messages.count == 4)
    }

    @Test func aFailureIsReportedOnce() {
        var chat = chat(missing: 3)
        chat.server.historyStatus = 500
        chat.handle(.fetchMissed(Ticket(1)))
        let isFailure = answers(chat).allSatisfy { if case .failure(.transport) = $0 { true } else { false } }
        #expect(answers(chat).count == 1 && isFailure)
        chat.server.historyStatus = nil
        chat.forgetEffects()
        chat.handle(.fetchMissed(Ticket(2)))
        #expect(answers(chat) == [.success(3)], "the wait after the failure does not matter")
    }

    @Test func aRefusedTokenEndsTheRequest() {
        var chat = chat(missing: 3)
        chat.server.acceptedToken = "another"
        chat.handle(.fetchMissed(Ticket(1)))
        let isFailure = answers(chat).allSatisfy { if case .failure = $0 { true } else { false } }
        #expect(answers(chat).count == 1 && isFailure)
        chat.forgetEffects()
        chat.handle(.fetchMissed(Ticket(2)))
        #expect(answers(chat) == [.failure(.notAuthorized)])
    }

    @Test func withoutAUserTheRequestFails() {
        var chat = Chat()
        chat.handle(.fetchMissed(Ticket(1)))
        #expect(answers(chat) == [.failure(.notAuthorized)])
    }

    @Test func theUsersLeavingEndsTheRequest() {
        var chat = chat(missing: 3)
        chat.isLive = false
        chat.handle(.fetchMissed(Ticket(1)))
        #expect(answers(chat).isEmpty)
        chat.handle(.deauthorize)
        #expect(answers(chat) == [.failure(.superseded)])
    }

    @Test func theNumberOfWaitingRequestsIsLimited() {
        var chat = chat(missing: 2)
        chat.isLive = false
        for number in 0..<20 { chat.handle(.fetchMissed(Ticket(UInt64(number)))) }
        #expect(answers(chat) == Array(repeating: .failure(.superseded), count: 4))
        chat.forgetEffects()
        chat.isLive = true
        chat.serve()
        #expect(answers(chat) == Array(repeating: .success(2), count: 16))
    }
}
