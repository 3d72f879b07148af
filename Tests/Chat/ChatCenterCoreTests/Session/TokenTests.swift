import ChatCenterCore
import ChatWire
import Testing

/// A token that is over is replaced; one that was never good is not asked for twice.
@Suite struct TokenTests {
    static let expired = ServerRefusal(code: "UNAUTHORIZED", details: "expired")
    static let invalid = ServerRefusal(code: "UNAUTHORIZED", details: "invalid")

    func attempts(_ chat: Chat) -> [TokenAttempt] {
        chat.effects.compactMap { if case .askForToken(let attempt) = $0 { attempt } else { nil } }
    }

    func needs(_ chat: Chat) -> [ServerRefusal?] {
        chat.notices.compactMap { notice -> ServerRefusal?? in
            if case .reauthorizationNeeded(let refusal) = notice { refusal } else { nil }
        }
    }

    /// A chat whose socket was refused for its first token, and got the next one.
    func replaced(_ first: ErrorAnswer, by token: String = "t-2") throws -> Chat {
        var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.authorize()
        chat.server.refusesRegister = first
        chat.open()
        chat.handle(.token(try #require(attempts(chat).first), WireCredentials(token: token)))
        return chat
    }

    @Test("the first refusal asks, whether the token is over or was never good", arguments: [true, false])
    func first(_ isExpired: Bool) throws {
        let chat = try replaced(isExpired ? .tokenExpired : .tokenInvalid)
        #expect(attempts(chat).count == 1)
        #expect(chat.state == .ready)
        #expect(needs(chat).isEmpty)
    }

    @Test(
        "a token of the provider that worked is replaced when it is over, or no good any more",
        arguments: [true, false])
    func worked(_ isExpired: Bool) throws {
        var chat = try replaced(.tokenExpired)
        chat.advance(milliseconds: 60_000)
        chat.server.refusesMessage = isExpired ? .tokenExpired : .tokenInvalid
        chat.send("Hi", "a-1")
        #expect(attempts(chat).count == 2)
        chat.handle(.token(try #require(attempts(chat).last), WireCredentials(token: "t-3")))
        #expect(chat.own("a-1") == .sent)
    }

    @Test("a token of the provider that never worked: over is asked for again after a minute, never good is not")
    func neverWorked() throws {
        for (details, asks) in [(ErrorAnswer.tokenExpired, 2), (.tokenInvalid, 1)] {
            var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
            chat.authorize()
            chat.server.refusesRegister = .tokenExpired
            chat.open()
            // The next token meets a dead network first, and a server that refuses it after two minutes.
            chat.server.silence = .everything
            chat.handle(.token(try #require(attempts(chat).first), WireCredentials(token: "t-2")))
            chat.advance(milliseconds: 120_000)
            chat.server.silence = []
            chat.server.refusesRegister = details
            chat.handle(.network(.pathChanged(hasRoute: true)))
            if case .connecting = chat.state, let live = chat.core.liveGeneration {
                chat.handle(.network(.socketOpened(live)))
            }
            #expect(attempts(chat).count == asks)
            #expect(needs(chat) == (asks == 1 ? [Self.invalid] : []))
        }
    }

    @Test(
        "a provider that does not answer has an end, and its late answer is used all the same",
        arguments: [true, false])
    func silent(isUseful: Bool) throws {
        var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.authorize()
        chat.server.refusesRegister = .tokenExpired
        chat.open()
        let attempt = try #require(attempts(chat).first)
        chat.advance(milliseconds: 119_999)
        #expect(needs(chat).isEmpty)
        chat.advance(milliseconds: 1)
        #expect(needs(chat) == [Self.expired])
        chat.handle(.tokenIdentity(attempt, signature: "s-2", isEncrypted: true))
        chat.handle(.token(attempt, isUseful ? WireCredentials(token: "t-2") : nil))
        #expect(needs(chat).count == 1, "told once")
        #expect(chat.state == (isUseful ? .ready : .closed(.unauthorized)))
        // Answered is answered.
        chat.handle(.token(attempt, WireCredentials(token: "t-3")))
        #expect(chat.openedSockets == (isUseful ? 2 : 1))
    }

    @Test func aProviderThatGivesTheRefusedTokenAgainIsNotBelieved() throws {
        let chat = try replaced(.tokenExpired, by: "t-1")
        #expect(needs(chat) == [Self.expired], "with what the server said")
        #expect(chat.openedSockets == 1, "the same token is not tried again")
        #expect(chat.state == .closed(.unauthorized))
    }

    @Test("the reason reaches the user and the host application", arguments: [expired, invalid])
    func reason(_ refusal: ServerRefusal) {
        var chat = Chat()
        chat.authorize()
        chat.server.refusesRegister = ErrorAnswer(refusal.code, details: refusal.details)
        chat.open()
        #expect(needs(chat) == [refusal])
        #expect(chat.screen.banners == [.unauthorized(refusal)])
    }

    @Test("while a token is asked for, the queue waits and no socket is opened with the old one")
    func waiting() throws {
        var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.server.historyStatus = 401
        chat.authorize()
        chat.server.historyStatus = nil
        chat.open()
        chat.send("Hi", "a-1")
        #expect(chat.openedSockets == 0)
        #expect(chat.own("a-1") == .queued)
        chat.handle(.token(try #require(attempts(chat).first), WireCredentials(token: "t-2")))
        #expect(chat.own("a-1") == .sent)
        #expect(attempts(chat).count == 1)
    }

    @Test func aTokenThatIsRefusedForACallLeavesALiveSocketAlone() throws {
        var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.authorize()
        chat.open()
        chat.server.historyStatus = 401
        chat.handle(.reload)
        #expect(attempts(chat).count == 1)
        #expect(chat.state == .ready)
        #expect(chat.openedSockets == 1)
    }
}
