import ChatCenterCore
import ChatWire
import Testing

/// Tests the replacement of tokens: an expired token is replaced; an invalid one is not requested twice.
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

    /// Returns a chat whose first token was refused at the socket and replaced.
    func replaced(_ first: ErrorAnswer, by token: String = "t-2") throws -> Chat {
        var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.authorize()
        chat.server.refusesRegister = first
        chat.open()
        chat.handle(.token(try #require(attempts(chat).first), WireCredentials(token: token)))
        return chat
    }

    @Test("the first refusal requests a token, whether it is expired or invalid", arguments: [true, false])
    func first(_ isExpired: Bool) throws {
        let chat = try replaced(isExpired ? .tokenExpired : .tokenInvalid)
        #expect(attempts(chat).count == 1)
        #expect(chat.state == .ready)
        #expect(needs(chat).isEmpty)
    }

    @Test("the outcome of authorize is told although the token of its calls was replaced")
    func outcomeOfAuthorizeAfterARefusal() throws {
        var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.authorize()
        chat.forgetEffects()
        chat.server.acceptedToken = "t-3"
        chat.authorize(Chat.user, WireCredentials(token: "t-2"))
        chat.handle(.token(try #require(attempts(chat).first), WireCredentials(token: "t-3")))
        #expect(chat.notices.contains(.authorized(.success(Chat.user))))
    }

    @Test(
        "a provider's token that worked is replaced when it is expired or invalid",
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

    @Test("an unused provider token is requested again after a minute if expired, not if invalid")
    func neverWorked() throws {
        for (details, asks) in [(ErrorAnswer.tokenExpired, 2), (.tokenInvalid, 1)] {
            var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
            chat.authorize()
            chat.server.refusesRegister = .tokenExpired
            chat.open()
            // The next token is first used without a network, then the server refuses it after two minutes.
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
        "waiting for the provider is limited, and a late answer is still used",
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
        #expect(needs(chat).count == 1, "reported once")
        #expect(chat.state == (isUseful ? .ready : .closed(.unauthorized)))
        // A second answer is ignored.
        chat.handle(.token(attempt, WireCredentials(token: "t-3")))
        #expect(chat.openedSockets == (isUseful ? 2 : 1))
    }

    @Test func aProviderThatReturnsTheRefusedTokenIsNotTrusted() throws {
        let chat = try replaced(.tokenExpired, by: "t-1")
        #expect(needs(chat) == [Self.expired], "with the server's refusal")
        #expect(chat.openedSockets == 1, "the same token is not used again")
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

    @Test("while a token is requested, the queue waits and the old token opens no socket")
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

    @Test func aTokenRefusedForACallKeepsTheLiveSocket() throws {
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
