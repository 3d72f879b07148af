import ChatCenterCore
import ChatWire
import Testing

/// Tests how the socket reacts to the platform's network path.
@Suite struct NetworkPathTests {
    static let wifi = NetworkPath(identity: "wlan0 10.0.0.2", hasRoute: true)
    static let mobile = NetworkPath(identity: "rmnet0 100.64.0.9", hasRoute: true)
    static let nothing = NetworkPath(identity: "", hasRoute: false)

    func ready(on path: NetworkPath? = wifi) -> Chat {
        var chat = Chat()
        if let path { chat.handle(.network(.path(path))) }
        chat.authorize()
        chat.open()
        chat.forgetEffects()
        return chat
    }

    func life(_ chat: Chat) -> [String] {
        chat.networkCommands.compactMap { command in
            switch command {
            case .openSocket(let generation, _): "open \(generation.number)"
            case .closeSocket(let generation, let reason): "close \(generation.number) \(reason.rawValue)"
            case .ping(let generation): "ping \(generation.number)"
            default: nil
            }
        }
    }

    @Test("on another network, the socket is replaced at once, and there are never two")
    func anotherNetwork() {
        var chat = ready()
        chat.handle(.network(.path(Self.mobile)))
        #expect(life(chat) == ["close 1 networkChanged", "open 2"])
        #expect(chat.state == .ready)
    }

    @Test("the same network, or the first one, does not affect the socket")
    func theSameNetwork() {
        var chat = ready()
        chat.handle(.network(.path(Self.wifi)))
        #expect(life(chat).isEmpty)
        var late = ready(on: nil)
        late.handle(.network(.path(Self.wifi)))
        #expect(life(late).isEmpty)
    }

    @Test("a lost network closes no socket; when it returns, the socket is probed")
    func goneAndBack() {
        var chat = ready()
        chat.handle(.network(.path(Self.nothing)))
        #expect(life(chat).isEmpty)
        chat.handle(.network(.path(Self.wifi)))
        #expect(life(chat) == ["ping 1"])
        // A change from one network to none, and then to another one.
        chat.handle(.network(.path(Self.nothing)))
        chat.handle(.network(.path(Self.mobile)))
        #expect(life(chat) == ["ping 1", "close 1 networkChanged", "open 2"])
    }

    @Test func aProbeAfterTheRouteReturnedHasAShortTimeout() {
        var chat = ready()
        chat.server.silence = .pong
        chat.handle(.network(.path(Self.nothing)))
        chat.handle(.network(.path(Self.wifi)))
        chat.advance(milliseconds: 2499)
        #expect(chat.core.liveGeneration == Generation(1))
        chat.advance(milliseconds: 1)
        #expect(chat.core.liveGeneration == Generation(2))
    }

    @Test("a message in flight is checked on the next network, not sent twice")
    func messages() {
        var chat = ready()
        chat.server.silence = .message
        chat.send("Hi", "a-1")
        chat.server.silence = []
        chat.handle(.network(.path(Self.mobile)))
        #expect(chat.own("a-1") == .sent)
        #expect(chat.server.frames["a-1"] == 1)
    }

    @Test(arguments: [FakeServer.Silence.upgrade, .register, .clientInfo])
    func aHandshakeOnTheOldNetworkIsRestarted(_ silence: FakeServer.Silence) {
        var chat = Chat()
        chat.handle(.network(.path(Self.wifi)))
        chat.authorize()
        chat.server.silence = silence
        chat.open()
        chat.server.silence = []
        chat.handle(.network(.path(Self.mobile)))
        #expect(chat.state == .ready)
        #expect(chat.core.liveGeneration == Generation(2))
    }

    @Test("another network ends a wait and resets the failure counter")
    func waiting() {
        var chat = ready()
        chat.server.silence = .upgrade
        for _ in 0..<6 {
            chat.breakLink()
            if case .waitingToReconnect(_, let at, _) = chat.state { chat.advance(milliseconds: at - chat.now.wall) }
        }
        chat.breakLink()
        chat.handle(.network(.path(Self.mobile)))
        #expect(chat.state == .connecting)
        chat.breakLink()
        guard case .waitingToReconnect(1, _, _) = chat.state else {
            Issue.record("\(chat.state)")
            return
        }
    }

    @Test func inTheBackgroundNoSocketOpens() {
        var chat = ready()
        chat.handle(.enteredBackground)
        chat.forgetEffects()
        chat.handle(.network(.path(Self.mobile)))
        #expect(life(chat).isEmpty)
        #expect(chat.core.nextWake == nil)
        chat.handle(.enteredForeground)
        #expect(life(chat) == ["open 2"], "at once on the new network")
    }

    @Test func withoutNeedANetworkOpensNoSocket() {
        var chat = ready()
        chat.close()
        chat.forgetEffects()
        chat.handle(.network(.path(Self.mobile)))
        #expect(life(chat).isEmpty)
    }

    @Test func aLogoutInProgressMovesToTheNextNetwork() {
        var chat = ready()
        chat.server.silence = .offline
        chat.handle(.logout(Ticket(1)))
        chat.server.silence = []
        chat.handle(.network(.path(Self.mobile)))
        #expect(chat.notices.contains(.loggedOut(Ticket(1), .server)))
    }
}
