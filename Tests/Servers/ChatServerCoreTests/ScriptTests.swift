import ChatServerCore
import ChatWire
import Testing

@Suite("Scripts")
struct ScriptTests {
    private static let second: Int64 = 1_000_000_000

    private func world(_ steps: ScriptStep..., bot: BotSettings? = nil, identities: [String] = []) -> ServerWorld {
        let world = ServerWorld(bot: bot, identities: identities)
        world.handle(.scriptLoaded(ServerScript(steps: steps)))
        return world
    }

    private func say(_ text: String) -> ScriptAction { .act(.says(text), .trigger) }

    @Test("A fault that a frame's step plans applies to this frame")
    func beforeTheFrame() {
        let world = world(
            ScriptStep(
                ScriptTrigger(.frame, name: "registerDevice"),
                actions: [.plan(.withhold(action: "registerDevice"), times: 1)]))
        #expect(world.register() == nil)
        #expect(world.register(on: ConnectionID(2)) != nil)
    }

    @Test("The reply to each step of the handshake can be withheld")
    func handshake() {
        let world = world(
            ScriptStep(ScriptTrigger(.start), actions: [.plan(.ignoreUpgrade, times: 1)]),
            ScriptStep(ScriptTrigger(.upgrade, count: 2), actions: [.plan(.ignoreUpgrade, times: 1)]),
            ScriptStep(
                ScriptTrigger(.frame, name: "CLIENT_INFO"), actions: [.plan(.withhold(action: "CLIENT_INFO"), times: 1)]
            ))
        #expect(world.upgrade() == .ignore)
        #expect(world.upgrade() == .ignore)
        #expect(world.upgrade() == .accept)
        #expect(world.register() != nil)
        #expect(world.introduce().frames().allSatisfy { $0.correlationID == nil })
    }

    @Test("A message's step runs after the receipt, for the message's author")
    func afterTheMessage() {
        let world = world(ScriptStep(ScriptTrigger(.message, text: "HELP"), actions: [say("How can I help?")]))
        world.join("alice", on: ConnectionID(1))
        world.join("bob", on: ConnectionID(2))
        #expect(world.send("hello", uuid: "u1").pushes().allSatisfy { $0.content.body != .message })
        let effects = world.send("Please help me", uuid: "u2")
        let kinds = effects.frames().map { $0.correlationID == nil ? "push" : "reply" }
        #expect(kinds == ["reply", "push"])
        #expect(effects.pushes().last?.content.text == "How can I help?")
        #expect(effects.pushes(to: ConnectionID(2)).isEmpty)
        // Once, unless the step says otherwise; a repeated message does not count.
        #expect(world.send("help", uuid: "u3").pushes().isEmpty)
    }

    @Test("A step can require a count, and happen several times or always")
    func counts() {
        let world = world(
            ScriptStep(ScriptTrigger(.message, count: 2), times: 2, actions: [say("every second")]),
            ScriptStep(
                ScriptTrigger(.frame, name: "sendMessage", clientID: "alice", count: 9), actions: [.cut(.trigger)]),
            ScriptStep(ScriptTrigger(.message), times: nil, actions: [say("always")]))
        world.join()
        var texts: [String] = []
        for number in 1...7 {
            texts += world.send("\(number)", uuid: "u\(number)").pushes().compactMap(\.content.text)
        }
        #expect(texts.count { $0 == "every second" } == 2)
        #expect(texts.count { $0 == "always" } == 7)
        // CLIENT_INFO of the handshake was the first frame, and seven messages followed: the next is the ninth.
        #expect(world.send("8", uuid: "u8").closes() == .fault)
        #expect(world.history().contains { $0.uuid == "u8" } == false)
    }

    @Test("Steps have delays, also after the script's start")
    func delays() {
        let world = world(
            ScriptStep(ScriptTrigger(.start), delay: 3 * Self.second, actions: [say("to all")]),
            ScriptStep(ScriptTrigger(.ready), delay: Self.second, actions: [.act(.types, .trigger), say("welcome")]))
        world.join()
        #expect(world.core.nextWake == Self.second)
        world.advance(milliseconds: 1_000)
        #expect(
            world.handle(.woke).pushes().map(\.content.wireType) == ["TYPING", "THREAD_OPENED", "MESSAGE"])
        #expect(world.core.nextWake == 3 * Self.second)
        world.advance(milliseconds: 2_000)
        #expect(world.handle(.woke).pushes().map(\.content.text) == ["to all"])
        #expect(world.core.nextWake == nil)
    }

    @Test("A script's own actions do not trigger it, so it cannot loop")
    func noLoop() {
        let world = world(
            ScriptStep(ScriptTrigger(.threadOpened), times: nil, actions: [.act(.closesThread, .trigger)]),
            ScriptStep(ScriptTrigger(.threadClosed), times: nil, actions: [say("again")]))
        world.join()
        let types = world.send("one", uuid: "u1").pushes().map(\.content.wireType)
        #expect(types == ["THREAD_OPENED", "THREAD_CLOSED"])
    }

    @Test("Every kind of event can trigger a step", arguments: ScriptTrigger.Kind.allCases)
    func kinds(_ kind: ScriptTrigger.Kind) {
        let world = world(ScriptStep(ScriptTrigger(kind), actions: [.network(NetworkConditions(latency: 5))]))
        _ = world.upgrade()
        _ = world.call(.unread)
        world.join()
        world.receive(
            .sendMessage(Content(.typing(draft: "H", operatorName: nil)), deviceAddress: nil), on: ConnectionID(1))
        world.send("one", uuid: "u1")
        let answer = Content(.surveyQuestionAnswer(SurveyAnswer(questionID: 1, rate: 1)), uuid: "a1")
        world.receive(.sendMessage(answer, deviceAddress: nil), on: ConnectionID(1))
        world.act(.closesThread)
        world.handle(.disconnected(ConnectionID(1)))
        guard case .overview(let overview)? = world.ask(.overview).answer else {
            Issue.record("no overview")
            return
        }
        #expect(overview.network.latency == 5)
        #expect(overview.steps == 0)
    }

    @Test("A script can change tokens, settings and identities, and close sockets with codes")
    func everything() {
        let world = world(
            ScriptStep(
                ScriptTrigger(.message),
                actions: [
                    .identity("rotatedToBackupKey"), .identity("unheard of"),
                    .settings(.update(ConfigurationUpdate(channelConfig: ChannelOverrides(keepSocketActive: true)))),
                    .access(.tokens(valid: ["new"], expired: ["old"])),
                    .close(code: 1_013, reason: "later", .trigger),
                ]),
            identities: ["genuine", "rotatedToBackupKey"])
        world.join()
        let effects = world.send("one", uuid: "u1")
        #expect(effects.contains(.present(identity: "rotatedToBackupKey")))
        #expect(effects.notes == [.refusedAction])
        #expect(effects.pushes().map(\.content.wireType).contains("SETTINGS_UPDATED"))
        #expect(effects.last == .hangUp(ConnectionID(1), code: 1_013, reason: "later"))
        #expect(
            world.call(.unread, as: Caller(token: "old", clientID: "alice")) == .failure(status: 401, .tokenExpired))
        #expect(world.unreadCount(as: Caller(token: "new", clientID: "alice")) != nil)
    }

    @Test("A new script replaces the previous one and its pending steps")
    func replaced() {
        let world = world(ScriptStep(ScriptTrigger(.ready), delay: Self.second, actions: [say("old")]))
        world.join()
        world.ask(.load(ServerScript(steps: [ScriptStep(ScriptTrigger(.message), actions: [say("new")])])))
        #expect(world.core.nextWake == nil)
        #expect(world.send("one", uuid: "u1").pushes().last?.content.text == "new")
    }

    @Test("Waiting steps are limited")
    func bounded() {
        var limits = ServerLimits()
        limits.pendingSteps = 2
        let world = ServerWorld(limits: limits)
        let step = ScriptStep(
            ScriptTrigger(.message), delay: Self.second, times: nil, actions: [.act(.types, .trigger)])
        world.handle(.scriptLoaded(ServerScript(steps: [step])))
        world.join()
        #expect(world.send("1", uuid: "u1").notes.isEmpty)
        #expect(world.send("2", uuid: "u2").notes.isEmpty)
        #expect(world.send("3", uuid: "u3").notes == [.overloaded])
    }

    @Test("Plans continue after a failure of the store")
    func restarted() {
        let world = world(ScriptStep(ScriptTrigger(.message), actions: [say("Hi")]))
        world.handle(.faultsPlanned([.ignoreUpgrade]))
        world.core = world.core.restarted(with: world.kept)
        #expect(world.upgrade() == .ignore)
        world.join()
        #expect(world.send("one", uuid: "u1").pushes().last?.content.text == "Hi")
    }

    @Test("Actions of steps before a frame, a call, an upgrade or at the start trigger no step")
    func consequences() {
        let world = ServerWorld()
        world.join()
        let opens = { (trigger: ScriptTrigger) in ScriptStep(trigger, actions: [.act(.says("first"), .client("alice"))])
        }
        let script = ServerScript(steps: [
            opens(ScriptTrigger(.start)),
            ScriptStep(ScriptTrigger(.threadOpened), times: nil, actions: [.act(.says("second"), .client("alice"))]),
            ScriptStep(ScriptTrigger(.threadClosed), times: nil, actions: [.act(.says("second"), .client("alice"))]),
            ScriptStep(
                ScriptTrigger(.upgrade), actions: [.act(.closesThread, .client("alice"))]),
            opens(ScriptTrigger(.frame, name: "ping")),
            ScriptStep(
                ScriptTrigger(.call, name: "unread"), actions: [.act(.closesThread, .client("alice"))]),
        ])
        world.handle(.scriptLoaded(script))
        _ = world.upgrade()
        world.receive(.ping, on: ConnectionID(1))
        _ = world.call(.unread)
        let texts = world.effects.pushes().compactMap(\.content.text)
        #expect(texts.filter { $0 == "first" }.count == 2)
        #expect(!texts.contains("second"))
    }

    @Test("A script sees the end of a socket that did not register in time")
    func timedOutSocket() {
        let world = world(ScriptStep(ScriptTrigger(.disconnected), actions: [.plan(.ignoreUpgrade, times: 1)]))
        world.handle(.connected(ConnectionID(1), token: nil))
        world.advance(milliseconds: 30_000)
        world.handle(.woke)
        #expect(world.upgrade() == .ignore)
    }
}
