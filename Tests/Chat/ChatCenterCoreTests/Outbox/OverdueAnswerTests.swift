import ChatCenterCore
import ChatWire
import Testing

/// Tests a lost frame on a live socket. A later answer of the server reveals it, and the message is checked in the
/// history long before its deadline.
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

    @Test("a message whose frame was lost is sent again after 5 s, and the next one follows")
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
        #expect(lookUps(chat) > 0, "checked in the history first")
        #expect(chat.server.accepted == ["a-1", "a-2"])
        #expect(chat.openedSockets == 0, "on the same socket")
    }

    @Test("other frames from the server do not hide a lost frame")
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

    @Test("a message whose receipt was lost is found in the history and not sent again")
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

    @Test("the answer to a later frame also reveals a lost frame")
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

    @Test("an answer in time makes the history check unnecessary")
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

    @Test("an answer after the history check counts, whichever attempt it belongs to")
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
        // No acknowledgement is pending, so the background needs no grace period.
        chat.handle(.enteredBackground)
        #expect(chat.core.liveGeneration == nil)
    }

    /// Returns a chat with a message whose first frame is still in flight and whose second frame was sent after a
    /// history check.
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

    @Test("if the first attempt is refused for its token, the second one is checked in the history")
    func aTokenRefusedForTheFirstAttempt() throws {
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
        #expect(frames("a-1", chat) == 2, "the history is not loaded yet")
        #expect(chat.own("a-1") == .sending)
    }

    @Test("if the first attempt is refused, the message fails and the second one is checked")
    func aRefusalOfTheFirstAttempt() throws {
        var (chat, first) = sentTwice { $0.silence = .message }
        #expect(chat.server.accepted == ["a-1"])
        let live = try #require(chat.core.liveGeneration)
        let refusal = ServerFrame(.failure(action: "sendMessage", ErrorAnswer("NO")), correlationID: first)
        chat.handle(.network(.received(live, refusal)))
        #expect(chat.notices.contains(.message(MessageID("a-1"), .failed(.refused(ServerRefusal(code: "NO"))))))
        #expect(chat.own("a-1") == .sent)
    }

    @Test("a pong for an earlier ping has no effect")
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
        #expect(lookUps(chat) == 0, "the next ping is sent after 2.5 s of silence")
        chat.server.losesMessages = false
        chat.advance(milliseconds: 2000)
        #expect(chat.server.accepted == ["a-1"])
    }

    @Test("a silent socket is considered dead and replaced")
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
        "history checks do not change the deadline of the first attempt", arguments: SendTimeoutMode.allCases)
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

    @Test("after messageRetryCount attempts, the last one has the rest of the time", arguments: [Int64(0), 2])
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

    @Test("the history is not checked in the background")
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
