import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests reporting logouts to the server: at once if possible, later otherwise, and with a limit.
@Suite struct FarewellTests {
    static let bob = UserIdentity(clientID: "bob", name: "Bob")
    static let bobsToken = WireCredentials(token: "t-bob")

    /// Returns a chat after a logout of Ann that could not be reported.
    func left(_ user: UserIdentity = Chat.user) -> Chat {
        var chat = Chat()
        chat.authorize(user)
        chat.open()
        chat.close()
        chat.server.silence = .upgrade
        chat.handle(.logout(Ticket(1)))
        chat.advance(milliseconds: 60_000)
        chat.forgetEffects()
        chat.server.silence = []
        return chat
    }

    @Test("an unreported logout is reported in the foreground, only over REST", arguments: [true, false])
    func later(_ foreground: Bool) {
        var chat = left()
        #expect(chat.core.nextWake == nil, "no timer is kept for it")
        if foreground {
            chat.handle(.enteredBackground)
            chat.handle(.enteredForeground)
        } else {
            chat.handle(.network(.pathChanged(hasRoute: true)))
        }
        #expect(chat.server.deletedDevices == ["device-of-ann"])
        #expect(chat.stores.of("ann").contents.isEmpty)
        #expect(chat.openedSockets == 0, "no user is authorized")
        let calls = chat.networkCommands.compactMap { if case .call(_, let call) = $0 { call } else { nil } }
        #expect(calls.map(\.credentials) == [Chat.token])
        #expect(calls.map(\.clientID) == ["ann"])
    }

    @Test("an unreported logout of an earlier process is reported without a token")
    func nextProcess() {
        var chat = left()
        let row = chat.stores.of("ann").contents.farewell
        #expect(row == Farewell(clientID: "ann", deviceAddress: "device-of-ann"))
        chat.restart()
        guard let row else { return }
        chat.handle(.pendingFarewell(row))
        #expect(chat.server.deletedDevices == ["device-of-ann"])
        #expect(chat.stores.of("ann").contents.isEmpty)
        #expect(chat.openedSockets == 0)
        let tokens = chat.networkCommands.compactMap { command -> String?? in
            if case .call(_, let call) = command { call.credentials.token } else { nil }
        }
        #expect(tokens == [nil])
        chat.handle(.pendingFarewell(Farewell(clientID: "", deviceAddress: "d")))
        #expect(chat.core.liveGeneration == nil)
    }

    @Test func aUserWhoReturnedIsNotLoggedOut() {
        var chat = left()
        chat.authorize()
        #expect(chat.stores.of("ann").contents.farewell == nil)
        chat.handle(.pendingFarewell(Farewell(clientID: "ann", deviceAddress: "device-of-ann")))
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        #expect(chat.server.offline.isEmpty)
        #expect(chat.server.deletedDevices.isEmpty)
    }

    @Test("an earlier logout and the next user's chat do not wait for each other")
    func togetherWithTheNextUser() {
        var chat = left()
        chat.authorize(Self.bob, Self.bobsToken)
        chat.open(2)
        #expect(chat.state == .ready)
        chat.handle(.network(.pathChanged(hasRoute: true)))
        #expect(chat.state == .ready)
        #expect(chat.server.deletedDevices == ["device-of-ann"])
        #expect(chat.server.registrations.map(\.clientID) == ["ann", "bob"])
        #expect(chat.stores.of("ann").contents.isEmpty)
        #expect(chat.stores.of("bob").contents.deviceAddress == "device-of-bob")
    }

    @Test("a second logout does not cancel the report of the first one")
    func notCalledOff() {
        var chat = left()
        chat.isLive = false
        chat.authorize(Self.bob, Self.bobsToken)
        chat.handle(.network(.pathChanged(hasRoute: true)))
        chat.handle(.deauthorize)
        #expect(chat.core.isTellingFarewell)
        chat.isLive = true
        chat.serve()
        #expect(chat.server.deletedDevices == ["device-of-ann"])
        #expect(chat.stores.of("ann").contents.isEmpty)
        #expect(!chat.core.isTellingFarewell)
    }

    @Test("a second logout of the same user is reported separately")
    func leftAgain() {
        var chat = left()
        chat.isLive = false
        chat.handle(.network(.pathChanged(hasRoute: true)))
        let first = chat.takeCommand()
        chat.isLive = true
        chat.authorize()
        chat.open(2)
        chat.close(2)
        chat.server.silence = .upgrade
        chat.handle(.logout(Ticket(2)))
        chat.advance(milliseconds: 5000)
        let row = chat.stores.of("ann").contents.farewell
        #expect(row != nil)
        guard let first else { return }
        for event in chat.server.answer(first) { chat.handle(.network(event)) }
        #expect(chat.stores.of("ann").contents.farewell == row, "the answer belongs to the first logout")
    }

    @Test("the next user waits at most 5 s for the socket")
    func handOver() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .offline
        chat.authorize(Self.bob, Self.bobsToken)
        #expect(chat.core.authorisedClientID == "bob")
        chat.open(2)
        chat.advance(milliseconds: 4999)
        #expect(chat.server.registrations.map(\.clientID) == ["ann"])
        chat.advance(milliseconds: 1)
        #expect(chat.server.registrations.map(\.clientID) == ["ann", "bob"])
        #expect(chat.state == .ready)
        #expect(chat.stores.of("ann").contents.farewell != nil, "reported later")
    }

    @Test("the number of pending logouts and of attempts is limited")
    func bounded() {
        var chat = Chat()
        let names = (0..<6).map { "user-\($0)" }
        for name in names {
            chat.server.silence = []
            chat.authorize(UserIdentity(clientID: name))
            chat.open()
            chat.close()
            chat.server.silence = .upgrade
            chat.handle(.logout(Ticket(1)))
            chat.advance(milliseconds: 60_000)
        }
        chat.server.deviceStatus = 503
        let kept = names.filter { !chat.stores.of($0).contents.isEmpty }
        #expect(kept == Array(names.suffix(4)), "the oldest are dropped, with their rows")

        for _ in 0..<100 {
            chat.handle(.enteredBackground)
            chat.handle(.enteredForeground)
            chat.advance(milliseconds: 60_000)
        }
        #expect(names.allSatisfy { chat.stores.of($0).contents.isEmpty }, "no row stays forever")
        chat.forgetEffects()
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        #expect(chat.networkCommands.isEmpty)
    }

    @Test("a logout clears the prefill") func prefill() {
        for event in [ChatEvent.deauthorize, .logout(Ticket(1))] {
            var chat = Chat()
            chat.authorize()
            chat.handle(.prefill("Ann's words"))
            chat.handle(event)
            chat.authorize(Self.bob)
            chat.handle(.getChat(ScreenID(2)))
            #expect(chat.screen.input.prefill == nil, "\(event)")
        }
        var chat = Chat()
        chat.authorize()
        chat.handle(.prefill("Ann's words"))
        chat.authorize(Self.bob)
        chat.handle(.getChat(ScreenID(2)))
        #expect(chat.screen.input.prefill == nil)
    }

    @Test("a refused logout report is retried", arguments: ["NO", "UNAUTHORIZED"])
    func refused(_ code: String) {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.refusesOffline = ErrorAnswer(code)
        chat.handle(.logout(Ticket(1)))
        #expect(chat.notices.contains(.loggedOut(Ticket(1), .localOnlyPending)))
        #expect(chat.stores.of("ann").contents.farewell != nil)
        #expect(chat.server.offline.isEmpty)
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        #expect(chat.server.deletedDevices == ["device-of-ann"])
        #expect(chat.stores.of("ann").contents.isEmpty)
    }

    @Test("a logout on its own socket does not register the push token")
    func pushToken() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.close()
        chat.handle(.pushToken("push"))
        chat.handle(.logout(Ticket(1)))
        #expect(chat.server.offline == ["ann"])
        #expect(chat.server.registrations.map(\.clientID) == ["ann", "ann"])
        #expect(chat.server.registrations.last?.pushToken == nil)
        chat.authorize(Self.bob)
        chat.open(2)
        #expect(chat.server.registrations.last?.pushToken == "push")
    }
}
