import ChatCenterCore
import ChatWire
import Testing

/// Telling the server of a user who left: at once where it is possible, later where it is not, and never for ever.
@Suite struct FarewellTests {
    static let bob = UserIdentity(clientID: "bob", name: "Bob")
    static let bobsToken = WireCredentials(token: "t-bob")

    /// Ann has logged out and the server could not be told.
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

    @Test("a logout that the server did not hear of is told on foreground, over REST alone", arguments: [true, false])
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
        #expect(chat.openedSockets == 0, "nobody is authorised")
        let calls = chat.networkCommands.compactMap { if case .call(_, let call) = $0 { call } else { nil } }
        #expect(calls.map(\.credentials) == [Chat.token])
        #expect(calls.map(\.clientID) == ["ann"])
    }

    @Test("what a past process left behind is told by the next one, without a token")
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

    @Test func whoIsBackHasNotLeft() {
        var chat = left()
        chat.authorize()
        #expect(chat.stores.of("ann").contents.farewell == nil)
        chat.handle(.pendingFarewell(Farewell(clientID: "ann", deviceAddress: "device-of-ann")))
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        #expect(chat.server.offline.isEmpty)
        #expect(chat.server.deletedDevices.isEmpty)
    }

    @Test("an earlier farewell and the next user's chat do not wait for each other")
    func besideTheNextUser() {
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

    @Test("who leaves while an earlier farewell is told does not call it off")
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

    @Test("a user who came back and left again has a farewell of its own")
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
        #expect(chat.stores.of("ann").contents.farewell == row, "the answer is to the first one")
    }

    @Test("hand-over: the next user waits 5 s for the socket at the most")
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
        #expect(chat.stores.of("ann").contents.farewell != nil, "told later")
    }

    @Test("the list has an end, and so have the tries")
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
        #expect(kept == Array(names.suffix(4)), "the oldest are given up, with their rows")

        for _ in 0..<100 {
            chat.handle(.enteredBackground)
            chat.handle(.enteredForeground)
            chat.advance(milliseconds: 60_000)
        }
        #expect(names.allSatisfy { chat.stores.of($0).contents.isEmpty }, "nothing is kept for ever")
        chat.forgetEffects()
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        #expect(chat.networkCommands.isEmpty)
    }

    @Test("prefill goes with the user") func prefill() {
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

    @Test("a server that refuses to hear of a logout does not know of it", arguments: ["NO", "UNAUTHORIZED"])
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

    @Test("whose logout needs a socket of its own does not get the pushes of whoever uses the device now")
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
