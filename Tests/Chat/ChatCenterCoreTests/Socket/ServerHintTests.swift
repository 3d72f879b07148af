import ChatCenterCore
import ChatWire
import Testing

/// Tests the server's hints when it closes or refuses: the delay to wait, and whether the token is the cause.
@Suite struct ServerHintTests {
    /// Returns a chat whose socket was ready long enough to be reopened at once.
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

    @Test(
        "after an ordinary close of a stable socket, the next attempt is made at once",
        arguments: [nil, 1000, 1001, 1006, 1011])
    func atOnce(_ code: UInt16?) {
        var chat = stable()
        chat.handle(.network(.socketClosed(Generation(1), Self.closed(code))))
        #expect(chat.state == .ready)
    }

    @Test(
        "after 1012, 1013 and 4xxx, the next attempt is delayed", arguments: [1012, 1013, 4000, 4403, 4999] as [UInt16])
    func patience(_ code: UInt16) throws {
        let cause = Self.closed(code)
        let wait = try #require(self.wait(after: cause))
        #expect((0...1000).contains(wait))
        var chat = stable()
        chat.server.silence = .upgrade
        chat.handle(.network(.socketClosed(Generation(1), cause)))
        #expect(chat.openedSockets == 0)
    }

    @Test("the server's delay is respected: with the close, in its reason, at the upgrade")
    func hints() throws {
        let causes: [(DisconnectCause, Int64)] = [
            (Self.closed(1013, "", 30_000), 30_000), (Self.closed(1013, "retry-after=45"), 45_000),
            (Self.closed(1012, "Retry-After=7"), 7000), (Self.closed(4000, "retry-after=9"), 9000),
            (Self.closed(1000, "retry-after=12"), 12_000),
            (.transport(TransportFailure(.upgradeRefused, status: 503, retryAfterMilliseconds: 12_345)), 12_345),
            (.transport(TransportFailure(.upgradeRefused, status: 429, retryAfterMilliseconds: 60_000)), 60_000),
            // The delay is limited to ten minutes, because a larger value may be an attack.
            (Self.closed(1013, "retry-after=99999999999"), 600_000),
            (Self.closed(1013, "", .max), 600_000),
        ]
        for (cause, asked) in causes {
            let wait = try #require(self.wait(after: cause), "\(cause)")
            #expect((asked...max(asked, 1000)).contains(wait), "\(cause)")
        }
    }

    @Test(arguments: ["retry-after=", "retry-after=-5", "retry-after=soon", "retry-after= 5", "later", "5"])
    func aReasonWithoutAHintIsIgnored(_ reason: String) throws {
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

    @Test("a token that is refused at the upgrade or by 4401 is replaced once", arguments: refusals)
    func asked(_ cause: DisconnectCause) throws {
        var chat = stable(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.handle(.network(.socketClosed(Generation(1), cause)))
        let attempts = chat.effects.compactMap { if case .askForToken(let attempt) = $0 { attempt } else { nil } }
        #expect(attempts.count == 1)
        #expect(chat.state == .closed(.unauthorized))
        chat.advance(milliseconds: 600_000)
        #expect(chat.openedSockets == 0, "no attempt is made with a refused token")
        chat.handle(.token(try #require(attempts.first), WireCredentials(token: "t-2")))
        #expect(chat.state == .ready)
    }

    @Test("without a provider the host application is notified, and no attempts are made", arguments: refusals)
    func told(_ cause: DisconnectCause) {
        var chat = stable()
        chat.handle(.network(.socketClosed(Generation(1), cause)))
        #expect(chat.notices.contains { if case .reauthorizationNeeded = $0 { true } else { false } })
        #expect(chat.notices.contains(.networkProblem(.socket(cause))), "with the original reason")
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

    @Test func aLogoutWhoseSocketIsRefusedIsRetriedLater() {
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
