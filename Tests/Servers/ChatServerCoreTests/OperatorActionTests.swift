import ChatServerCore
import ChatWire
import Testing

@Suite("Operator actions")
struct OperatorActionTests {
    private func world(bot: BotSettings? = nil) -> ServerWorld {
        let world = ServerWorld(bot: bot)
        world.join(apiVersion: 21)
        return world
    }

    private func types(_ effects: [ServerEffect]) -> [String] { effects.pushes().map(\.content.wireType) }

    private func messageID(_ answer: OperatorAnswer?) -> String? {
        if case .done(let id)? = answer { id } else { nil }
    }

    @Test("A message with all possible fields")
    func writes() throws {
        let world = world()
        let quote = Content(.message, uuid: "q", text: "quoted")
        let content = Content(
            .message, uuid: "mine", text: "Look", formattedText: "**Look**",
            attachments: [Attachment(result: "f", name: "a.png", state: .ready)], quotes: [quote],
            quickReplies: [QuickReply(text: "Yes")], settings: MessageSettings(blockInput: true, masked: true))
        let id = try #require(messageID(world.act(.writes(content))))
        let pushed = try #require(world.effects.pushes().last)
        #expect(pushed.messageID == id)
        #expect(pushed.content.uuid == "mine")
        #expect(pushed.content.quotes == [quote])
        #expect(pushed.content.settings?.blockInput == true)
        #expect(pushed.content.operator?.name == "Vera")
        // The uuid is in use now.
        #expect(world.act(.writes(content))?.refusal?.code == .unusable)
        #expect(world.history().count { $0.body == .message } == 1)
    }

    static let refused: [(OperatorAction, OperatorRefusal.Code)] = [
        (.says(""), .unusable),
        (.says(String(repeating: "x", count: 4_001)), .tooLong),
        (.writes(Content(.message, text: "a", quickReplies: Array(repeating: QuickReply(), count: 21))), .tooMany),
        (.writes(Content(.message, uuid: "", text: "a")), .unusable),
        (.edits(message: "nothing", text: "a"), .unknownMessage),
        (.edits(message: OperatorAction.lastOfOperator, text: "a"), .unknownMessage),
        (.edits(message: "u1", text: ""), .tooLong),
        (.deletes(message: "nothing"), .unknownMessage),
        (.updatesAttachments(message: "u1", Array(repeating: Attachment(), count: 21)), .tooMany),
        (.leaves, .nothingToDo),
        (.unblocks(text: nil), .nothingToDo),
    ]

    @Test("Invalid actions are refused with a code, without effects", arguments: 0..<11)
    func refusals(_ index: Int) {
        let (action, code) = Self.refused[index]
        let world = world()
        world.send("one", uuid: "u1")
        let before = world.kept
        let (answer, effects) = world.ask(.perform(.act(action, .client("alice")), clientID: nil))
        #expect(answer?.refusal?.code == code)
        #expect(effects.frames().isEmpty)
        #expect(world.kept == before)
        #expect(world.act(action, in: "nobody")?.refusal?.code == .unknownClient)
    }

    @Test("An operator replaces the bot and leaves; the history names the operator")
    func people() throws {
        let world = world()
        world.send("one", uuid: "u1")
        world.act(.joins(Operator(id: "9", name: "Ada", role: .operator)))
        world.act(.says("I am here"))
        #expect(world.effects.pushes().last?.content.operator?.name == "Ada")
        guard case .history(let answer)? = world.call(.history(HistoryRequest(.newest, count: 1))) else {
            Issue.record("no history")
            return
        }
        #expect(answer.agentInfo?["name"]?.stringValue == "Ada")
        world.restart()
        world.join(on: ConnectionID(2))
        world.act(.leaves)
        let left = try #require(world.effects.pushes(to: ConnectionID(2)).last)
        #expect(left.content.wireType == "OPERATOR_LEFT")
        #expect(left.content.text == "Ada has left")
        #expect(world.act(.leaves)?.refusal?.code == .nothingToDo)
    }

    @Test("A thread's state is announced and stored", arguments: ThreadNotice.allCases)
    func notices(_ notice: ThreadNotice) {
        let world = world()
        world.act(.announces(notice, text: "Please wait"))
        #expect(world.effects.pushes().last?.content.wireType == notice.rawValue)
        #expect(world.history().map(\.wireType) == [notice.rawValue])
    }

    @Test("The answer to a close request closes the thread or keeps it open")
    func closing() {
        for (answer, isOver) in [(ContentBody.closeThread, true), (.reopenThread, false)] {
            let world = world()
            world.send("one", uuid: "u1")
            world.act(.requestsClose(hideAfter: 60))
            #expect(world.effects.pushes().last?.content.body == .requestCloseThread(hideAfter: 60))
            let effects = world.receive(.sendMessage(Content(answer), deviceAddress: nil), on: ConnectionID(1))
            #expect(effects.receipt() != nil)
            #expect(types(effects).contains("THREAD_CLOSED") == isOver)
        }
    }

    @Test("State changes of files and voice messages are pushed by uuid")
    func states() throws {
        let world = world()
        let voice = Content(
            .message, uuid: "v1", attachments: [Attachment(result: "f", name: "a.ogg", state: .pending)])
        world.receive(.sendMessage(voice, deviceAddress: nil), on: ConnectionID(1))
        world.act(.updatesAttachments(message: OperatorAction.lastOfClient, [Attachment(result: "f", state: .ready)]))
        var notice = try #require(world.effects.pushes().last).content
        #expect(notice.body == .attachmentUpdated)
        #expect(notice.uuid == "v1")
        #expect(notice.attachments.first?.state == .ready)
        world.act(.transcribes(message: "v1", status: "READY", text: "Hello there"))
        notice = try #require(world.effects.pushes().last).content
        #expect(notice.body == .speechMessageUpdated)
        #expect(notice.speechText == "Hello there")
        let kept = try #require(world.history().last)
        #expect(kept.speechStatus == "READY")
        #expect(kept.attachments.first?.state == .ready)
        // Repeating it is not a change.
        #expect(
            world.act(.transcribes(message: "v1", status: "READY", text: "Hello there"))?.refusal?.code == .nothingToDo)
    }

    @Test(
        "A deleted message stays deleted and does not become unread",
        arguments: [
            OperatorAction.edits(message: "lastOfOperator", text: "Back"), .updatesAttachments(message: "o1", []),
            .updatesAttachments(message: "o1", [Attachment(result: "f", state: .ready)]),
            .transcribes(message: "o1", status: "READY", text: "Hello"), .deletes(message: "o1"),
        ])
    func takenBack(_ action: OperatorAction) throws {
        let world = world()
        world.act(.writes(Content(.message, uuid: "o1", text: "Oops")))
        world.act(.deletes(message: "o1"))
        let before = world.kept
        let (answer, effects) = world.ask(.perform(.act(action, .client("alice")), clientID: nil))
        #expect(answer?.refusal?.code == .nothingToDo)
        #expect(effects.pushes().isEmpty)
        #expect(world.kept == before)
        #expect(world.history().last?.modified == .deleted)
        #expect(world.history().last?.text == nil)
        #expect(world.kept.messages.allSatisfy { !$0.isUnread })
    }

    @Test("A reconnecting client is told of missed changes once")
    func changedMeanwhile() throws {
        let world = world()
        world.act(.says("Helo"))
        let id = try #require(world.history().last?.messageID)
        let confirmed = StatusChange(messageID: id, status: .read)
        world.receive(.updateStatuses([confirmed], deviceAddress: nil), on: ConnectionID(1))
        world.handle(.disconnected(ConnectionID(1)))
        world.act(.edits(message: OperatorAction.lastOfOperator, text: "Hello"))
        world.restart()

        world.register(on: ConnectionID(2))
        let pushes = world.introduce(on: ConnectionID(2)).pushes(to: ConnectionID(2))
        let notice = try #require(pushes.first { $0.content.body == .messageEdited })
        #expect(notice.content.text == "Hello")
        world.handle(.disconnected(ConnectionID(2)))
        world.register(on: ConnectionID(3))
        #expect(
            !world.introduce(on: ConnectionID(3)).pushes(to: ConnectionID(3)).contains {
                $0.content.body == .messageEdited
            })
    }

    @Test("Delivery statuses are reported and never decrease")
    func statuses() {
        let world = world()
        world.send("one", uuid: "u1")
        func told() -> [MessageStatus] {
            world.effects.frames().flatMap { frame -> [MessageStatus] in
                if case .statuses(let changes) = frame.body { changes.map(\.status) } else { [] }
            }
        }
        world.act(.receives)
        world.act(.reads)
        world.act(.receives)
        #expect(told() == [.delivered, .read])
    }

    @Test("A blocked client cannot write, also according to the history and after a restart")
    func blocked() {
        let world = world()
        world.act(.blocks(text: "Enough."))
        #expect(world.act(.blocks(text: nil))?.refusal?.code == .nothingToDo)
        world.restart()
        world.join(on: ConnectionID(2), apiVersion: 21)
        #expect(
            world.send("one", uuid: "u1", on: ConnectionID(2)).failure(to: ConnectionID(2))
                == ErrorAnswer("client.blocked"))
        guard case .history(let answer)? = world.call(.history(HistoryRequest(.newest, count: 1))) else {
            Issue.record("no history")
            return
        }
        #expect(answer.allowedToSendMessages == false)
    }

    @Test("Settings are pushed and take effect at once")
    func settings() {
        let world = world()
        var schedule = Schedule(id: 9, active: false, sendDuringInactive: false, notification: "Closed")
        world.ask(.perform(.settings(.schedule(schedule)), clientID: nil))
        schedule.serverTime = world.now.wall
        #expect(world.effects.pushes().last?.content.body == .schedule(schedule))
        #expect(world.send("one", uuid: "u1").failure() == ErrorAnswer("schedule.closed"))

        let files = AttachmentSettings(maxSize: 1, fileExtensions: ["txt"])
        world.ask(.perform(.settings(.attachments(files)), clientID: nil))
        #expect(world.effects.pushes().last?.content.body == .attachmentSettings(files))
        let update = ConfigurationUpdate(settings: CommunicationSettings(pingEnabled: false))
        world.ask(.perform(.settings(.update(update)), clientID: nil))
        #expect(world.effects.pushes().last?.content.body == .settingsUpdated(update))

        guard case .configuration(let answer)? = world.call(.configuration(appMarker: nil, apiVersion: 17)) else {
            Issue.record("no configuration")
            return
        }
        #expect(answer.schedule == schedule)
        #expect(answer.attachmentSettings == files)
        #expect(answer.settings?.pingEnabled == false)
        #expect(answer.settings?.pingRetries == 3)
    }

    @Test("Operators see clients, drafts and hidden answers")
    func overview() throws {
        let world = world()
        world.join("bob", on: ConnectionID(2))
        world.send("one", uuid: "u1")
        let answer = Content(.surveyQuestionAnswer(SurveyAnswer(questionID: 7, rate: 4)), uuid: "a1")
        world.receive(.sendMessage(answer, deviceAddress: nil), on: ConnectionID(1))
        let typing = Content(.typing(draft: "And tw", operatorName: nil))
        world.receive(.sendMessage(typing, deviceAddress: nil), on: ConnectionID(1))

        guard case .clients(let page, let total)? = world.ask(.clients(offset: 0, count: 1)).answer else {
            Issue.record("no clients")
            return
        }
        #expect(total == 2)
        let alice = try #require(page.first)
        #expect(page.count == 1)
        #expect(alice.record.clientID == "alice")
        #expect(alice.draft == "And tw")
        #expect(alice.sockets == 1)
        #expect(alice.messages == 2)
        #expect(alice.unanswered == 1)
        guard case .messages(let messages)? = world.ask(.messages(clientID: "alice", .newest, count: 10)).answer
        else {
            Issue.record("no messages")
            return
        }
        #expect(messages.map(\.content.wireType) == ["THREAD_OPENED", "MESSAGE", "SURVEY_QUESTION_ANSWER"])
        #expect(world.ask(.client("nobody")).answer?.refusal?.code == .unknownClient)
        #expect(world.ask(.messages(clientID: "nobody", .newest, count: 10)).answer?.refusal?.code == .unknownClient)
    }

    @Test("The total size of a client's message is limited, including quotes")
    func bounded() {
        var limits = ServerLimits()
        limits.contentBytes = 1_000
        limits.quotes = 1
        limits.clientDataBytes = 200
        let world = ServerWorld(limits: limits)
        world.join()
        func send(_ content: Content) -> [ServerEffect] {
            world.receive(.sendMessage(content, deviceAddress: nil), on: ConnectionID(1))
        }
        let quote = Content(.message, text: "q")
        #expect(
            send(Content(.message, uuid: "u1", text: "a", quotes: [quote, quote])).failure()
                == ErrorAnswer("message.too-many-quotes"))
        let long = Content(.message, text: String(repeating: "q", count: 1_000))
        #expect(
            send(Content(.message, uuid: "u2", text: "a", quotes: [long])).failure() == ErrorAnswer("message.too-large")
        )
        let comment = Content(
            .surveyQuestionAnswer(SurveyAnswer(questionID: 1)), uuid: "u3", text: String(repeating: "c", count: 1_000))
        #expect(send(comment).failure() == ErrorAnswer("message.too-large"))
        let info = ClientInfo(name: String(repeating: "n", count: 300))
        #expect(send(Content(.clientInfo(info))).failure() == ErrorAnswer("client.info-too-large"))
    }
}
