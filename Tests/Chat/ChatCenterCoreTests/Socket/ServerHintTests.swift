import ChatCenterCore
import ChatWire
import Testing

/// What the server says when it closes or refuses: how long to wait, and whether the token is the reason.
@Suite struct ServerHintTests {
    /// A chat with a socket that was ready for long enough to be tried again at once.
    func stable(_ settings: ChatSettings = ChatSettings(providerUID: "p")) -> Chat {
        var chat = Chat(settings)
        chat.authorize()
        chat.open()
        chat.advance(milliseconds: 60_000)
        chat.forgetEffects()
        return chat
    }

    func wait(after cause: DisconnectCause) -> Int64? {
        var chat = stable()
        chat.server.silence = .upgrade
        chat.handle(.network(.socketClosed(Generation(1), cause)))
        guard case .waitingToReconnect(_, let at, cause) = chat.state else { return nil }
        return at - chat.now.wall
    }

    static func closed(_ code: UInt16?, _ reason: String = "", _ hint: Int64? = nil) -> DisconnectCause {
        .closedByServer(code: code, reason: reason, retryAfterMilliseconds: hint)
    }

    @Test("an ordinary end of a stable socket: the next try is made at once", arguments: [nil, 1000, 1001, 1006, 1011])
    func atOnce(_ code: UInt16?) {
        var chat = stable()
        chat.handle(.network(.socketClosed(Generation(1), Self.closed(code))))
        #expect(chat.state == .ready)
    }

    @Test("1012, 1013 and 4xxx: not at once", arguments: [1012, 1013, 4000, 4403, 4999] as [UInt16])
    func patience(_ code: UInt16) throws {
        let cause = Self.closed(code)
        let wait = try #require(self.wait(after: cause))
        #expect((0...1000).contains(wait))
        var chat = stable()
        chat.server.silence = .upgrade
        chat.handle(.network(.socketClosed(Generation(1), cause)))
        #expect(chat.openedSockets == 0)
    }

    @Test("the wait that a server asks for is kept: with the close, in its reason, at the upgrade")
    func hints() throws {
        let causes: [(DisconnectCause, Int64)] = [
            (Self.closed(1013, "", 30_000), 30_000), (Self.closed(1013, "retry-after=45"), 45_000),
            (Self.closed(1012, "Retry-After=7"), 7000), (Self.closed(4000, "retry-after=9"), 9000),
            (Self.closed(1000, "retry-after=12"), 12_000),
            (.transport(TransportFailure(.upgradeRefused, status: 503, retryAfterMilliseconds: 12_345)), 12_345),
            (.transport(TransportFailure(.upgradeRefused, status: 429, retryAfterMilliseconds: 60_000)), 60_000),
            // An attack, not a wish: ten minutes are the most.
            (Self.closed(1013, "retry-after=99999999999"), 600_000),
            (Self.closed(1013, "", .max), 600_000),
        ]
        for (cause, asked) in causes {
            let wait = try #require(self.wait(after: cause), "\(cause)")
            #expect((asked...max(asked, 1000)).contains(wait), "\(cause)")
        }
    }

    @Test(arguments: ["retry-after=", "retry-after=-5", "retry-after=soon", "retry-after= 5", "later", "5"])
    func aReasonThatIsNoHintIsNone(_ reason: String) throws {
        let wait = try #require(self.wait(after: Self.closed(1013, reason)))
        #expect((0...1000).contains(wait))
    }

    // MARK: The token

    static let refusals: [DisconnectCause] = [
        .transport(TransportFailure(.upgradeRefused, status: 401)),
        .transport(
            TransportFailure(
                .upgradeRefused, status: 403, refusal: ServerRefusal(code: "UNAUTHORIZED", details: "expired"))),
        closed(4401),
    ]

    @Test("a token that is refused at the upgrade or by 4401 is asked for anew, once", arguments: refusals)
    func asked(_ cause: DisconnectCause) throws {
        var chat = stable(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.handle(.network(.socketClosed(Generation(1), cause)))
        let attempts = chat.effects.compactMap { if case .askForToken(let attempt) = $0 { attempt } else { nil } }
        #expect(attempts.count == 1)
        #expect(chat.state == .closed(.unauthorized))
        chat.advance(milliseconds: 600_000)
        #expect(chat.openedSockets == 0, "nothing is tried with a refused token")
        chat.handle(.token(try #require(attempts.first), WireCredentials(token: "t-2")))
        #expect(chat.state == .ready)
    }

    @Test("without a provider the host application is told, and nothing is tried in circles", arguments: refusals)
    func told(_ cause: DisconnectCause) {
        var chat = stable()
        chat.handle(.network(.socketClosed(Generation(1), cause)))
        #expect(chat.notices.contains { if case .reauthorizationNeeded = $0 { true } else { false } })
        #expect(chat.notices.contains(.networkProblem(.socket(cause))), "with the reason as it was")
        chat.advance(milliseconds: 600_000)
        chat.close()
        chat.open(2)
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        chat.handle(.network(.pathChanged(hasRoute: true)))
        #expect(chat.openedSockets == 0)
        #expect(chat.screen.banners.contains { if case .unauthorized = $0 { true } else { false } })
        chat.authorize(Chat.user, WireCredentials(token: "t-3"))
        #expect(chat.state == .ready)
    }

    @Test func aLogoutWhoseSocketIsRefusedIsTriedLater() {
        var chat = stable()
        chat.close()
        chat.server.silence = .upgrade
        chat.handle(.logout(Ticket(1)))
        let cause = DisconnectCause.transport(TransportFailure(.upgradeRefused, status: 401))
        if let live = chat.core.liveGeneration { chat.handle(.network(.socketClosed(live, cause))) }
        #expect(chat.notices.contains(.loggedOut(Ticket(1), .localOnlyPending)))
        #expect(!chat.notices.contains { if case .reauthorizationNeeded = $0 { true } else { false } })
    }
}
