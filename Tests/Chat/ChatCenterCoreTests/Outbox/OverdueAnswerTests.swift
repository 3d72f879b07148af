import ChatCenterCore
import ChatWire
import Testing

/// One lost frame on a live socket: a later answer of the server says so, and the message is looked up long before its
/// deadline.
@Suite struct OverdueAnswerTests {
    func ready(_ settings: ChatSettings = ChatSettings(providerUID: "p"), retries: Int64? = nil) -> Chat {
        var chat = Chat(settings)
        chat.server.configuration.settings?.messageRetryCount = retries
        chat.authorize()
        chat.open()
        chat.forgetEffects()
        return chat
    }

    func lookUps(_ chat: Chat) -> Int {
        chat.networkCommands.count { command in
            guard case .call(_, let call) = command, case .history = call.request else { return false }
            return true
        }
    }

    func frames(_ id: String, _ chat: Chat) -> Int { chat.frames { $0.uuid == id }.count }

    @Test("a lost frame: a ping is answered, the message goes again 5 s after it was sent, and the next one follows")
    func lostFrame() {
        var chat = ready()
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        chat.server.losesMessages = false
        chat.send("2", "a-2")
        chat.advance(milliseconds: 4999)
        #expect(chat.server.accepted.isEmpty)
        #expect(lookUps(chat) == 0)
        chat.advance(milliseconds: 1)
        #expect(lookUps(chat) > 0, "it is looked up first")
        #expect(chat.server.accepted == ["a-1", "a-2"])
        #expect(chat.openedSockets == 0, "on the same socket")
    }

    @Test("what else the server sends does not hide a lost frame")
    func amongOtherFrames() {
        var chat = ready()
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        chat.server.losesMessages = false
        for number in 1...5 {
            chat.push(chat.server.says("\(number)", uuid: "o-\(number)"))
            chat.advance(milliseconds: 1000)
        }
        #expect(chat.server.accepted == ["a-1"])
    }

    @Test("a lost receipt: the history shows the message, and it does not go again")
    func lostReceipt() {
        var chat = ready()
        chat.server.silence = .message
        chat.send("1", "a-1")
        chat.server.silence = []
        chat.send("2", "a-2")
        chat.advance(milliseconds: 5000)
        #expect(chat.own("a-1") == .sent)
        #expect(chat.server.frames["a-1"] == 1)
        #expect(chat.server.accepted == ["a-1", "a-2"])
    }

    @Test("the answer to a later frame is a sign, too")
    func laterFrame() {
        var chat = ready()
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        chat.server.losesMessages = false
        chat.advance(milliseconds: 1000)
        chat.handle(.typed("x"))
        #expect(chat.server.drafts == ["x"])
        chat.advance(milliseconds: 2499)
        #expect(lookUps(chat) == 0)
        chat.advance(milliseconds: 1)
        #expect(lookUps(chat) > 0)
        #expect(chat.server.accepted == ["a-1"])
    }

    @Test("an answer within the time makes the look-up unnecessary")
    func aSlowServer() throws {
        var chat = ready()
        chat.isLive = false
        chat.send("1", "a-1")
        let taken = chat.takeCommand()
        let command = try #require(taken)
        chat.isLive = true
        chat.advance(milliseconds: 4500)
        for event in chat.server.answer(command) { chat.handle(.network(event)) }
        #expect(chat.own("a-1") == .sent)
        chat.advance(milliseconds: 20_000)
        #expect(lookUps(chat) == 0)
        #expect(frames("a-1", chat) == 1)
    }

    @Test("an answer after the look-up counts all the same, for whichever try it is")
    func aLateAnswer() throws {
        var chat = ready()
        chat.isLive = false
        chat.send("1", "a-1")
        let taken = chat.takeCommand()
        let command = try #require(taken)
        chat.isLive = true
        chat.server.losesMessages = true
        chat.advance(milliseconds: 6000)
        #expect(frames("a-1", chat) == 2)
        chat.server.losesMessages = false
        for event in chat.server.answer(command) { chat.handle(.network(event)) }
        #expect(chat.own("a-1") == .sent)
        // Nothing is waited for any more, so that the background needs no grace.
        chat.handle(.enteredBackground)
        #expect(chat.core.liveGeneration == nil)
    }

    /// A chat with a message of which the first frame is still on its way, and a second one was sent after a look-up.
    func sentTwice(_ server: (inout FakeServer) -> Void) -> (chat: Chat, first: String?) {
        var chat = ready(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.isLive = false
        chat.send("1", "a-1")
        chat.dropCommands()
        chat.isLive = true
        server(&chat.server)
        chat.advance(milliseconds: 6000)
        let first = chat.sentFrames.first { frame in
            if case .sendMessage(let content, _) = frame.body { content.uuid == "a-1" } else { false }
        }
        return (chat, first?.correlationID)
    }

    @Test("a refused token that answers the first try leaves the second one unknown: it is looked up")
    func aTokenRefusedForTheFirstTry() throws {
        var (chat, first) = sentTwice { $0.losesMessages = true }
        #expect(frames("a-1", chat) == 2)
        chat.server.losesMessages = false
        chat.server.silence = .history
        let before = lookUps(chat)
        let live = try #require(chat.core.liveGeneration)
        let refusal = ServerFrame(.failure(action: "sendMessage", .tokenExpired), correlationID: first)
        chat.handle(.network(.received(live, refusal)))
        let attempt = chat.effects.compactMap { if case .askForToken(let attempt) = $0 { attempt } else { nil } }.last
        chat.handle(.token(try #require(attempt), WireCredentials(token: "t-2")))
        #expect(chat.state == .ready)
        #expect(chat.core.liveGeneration != live)
        #expect(lookUps(chat) == before + 1)
        #expect(frames("a-1", chat) == 2, "the history has not answered yet")
        #expect(chat.own("a-1") == .sending)
    }

    @Test("a refusal that answers the first try fails the message, and the second one is looked for")
    func aRefusalOfTheFirstTry() throws {
        var (chat, first) = sentTwice { $0.silence = .message }
        #expect(chat.server.accepted == ["a-1"])
        let live = try #require(chat.core.liveGeneration)
        let refusal = ServerFrame(.failure(action: "sendMessage", ErrorAnswer("NO")), correlationID: first)
        chat.handle(.network(.received(live, refusal)))
        #expect(chat.notices.contains(.message(MessageID("a-1"), .failed(.refused(ServerRefusal(code: "NO"))))))
        #expect(chat.own("a-1") == .sent)
    }

    @Test("a pong for a ping that went out before the message says nothing")
    func anEarlierPing() {
        var chat = ready()
        chat.server.silence = .pong
        chat.handle(.network(.pathChanged(hasRoute: true)))
        #expect(chat.networkCommands.contains { if case .ping = $0 { true } else { false } })
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        if let live = chat.core.liveGeneration { chat.handle(.network(.ponged(live))) }
        chat.forgetEffects()
        chat.advance(milliseconds: 2400)
        chat.server.silence = []
        #expect(lookUps(chat) == 0)
        chat.advance(milliseconds: 2499)
        #expect(lookUps(chat) == 0, "the next ping goes 2.5 s after the silence began")
        chat.server.losesMessages = false
        chat.advance(milliseconds: 2000)
        #expect(chat.server.accepted == ["a-1"])
    }

    @Test("a silent socket is no sign: it is found dead, and the next one is opened")
    func silence() {
        var chat = ready()
        chat.server.silence = [.pong, .message]
        chat.send("1", "a-1")
        chat.advance(milliseconds: 4999)
        #expect(lookUps(chat) == 0)
        chat.server.silence = []
        chat.advance(milliseconds: 1)
        #expect(chat.openedSockets == 1)
        #expect(chat.own("a-1") == .sent)
    }

    @Test(
        "the deadline stays that of the first try, however often it is looked up", arguments: SendTimeoutMode.allCases)
    func theDeadlineStays(_ mode: SendTimeoutMode) {
        var chat = ready(ChatSettings(providerUID: "p", sendTimeoutMode: mode))
        chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1"))
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        chat.advance(milliseconds: mode == .deadline ? 19_999 : 0)
        if mode == .deadline {
            #expect(chat.own("a-1") == .sending)
            #expect(frames("a-1", chat) == 4)
        }
        chat.advance(milliseconds: mode == .deadline ? 1 : 40_000)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test("messageRetryCount is the end of it: the last try has the rest of the time", arguments: [Int64(0), 2])
    func theLastTry(_ retries: Int64) {
        var chat = ready(retries: retries)
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        chat.advance(milliseconds: 19_999)
        #expect(frames("a-1", chat) == Int(retries) + 1)
        #expect(chat.own("a-1") == .sending)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test("in the background nothing is looked up")
    func inTheBackground() {
        var chat = ready()
        chat.server.losesMessages = true
        chat.send("1", "a-1")
        chat.advance(milliseconds: 3000)
        chat.handle(.enteredBackground)
        chat.forgetEffects()
        chat.advance(milliseconds: 10_000)
        #expect(lookUps(chat) == 0)
        #expect(chat.core.nextWake == nil)
    }
}
