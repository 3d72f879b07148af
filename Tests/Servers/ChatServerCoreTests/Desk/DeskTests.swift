import ChatServerCore
import ChatWire
import Testing

@Suite("The operator desk")
struct DeskTests {
    private static let ada = DeskOperator(id: "ada", name: "Ada")
    private static let ben = DeskOperator(id: "ben", name: "Ben")
    private static let seat = DeskSeat.stream(1, session: "s")

    private func world(bot: BotSettings? = nil, limits: ServerLimits = ServerLimits()) -> ServerWorld {
        let world = ServerWorld(bot: bot, limits: limits)
        world.join(apiVersion: 21)
        return world
    }

    @discardableResult
    private func act(
        _ action: DeskAction, by person: DeskOperator = ada, in clientID: String = "alice", _ world: ServerWorld
    ) -> DeskAnswer? {
        world.desk(.act(action, clientID: clientID, by: person))
    }

    private func row(_ world: ServerWorld, of clientID: String = "alice") -> DeskRow? {
        if case .row(let row)? = world.desk(.row(clientID: clientID)) { row } else { nil }
    }

    private func page(_ world: ServerWorld, _ bound: DeskBound = .newest) -> DeskConversation? {
        let answer = world.desk(.conversation(clientID: "alice", bound))
        return if case .conversation(let conversation)? = answer { conversation } else { nil }
    }

    private func follow(_ world: ServerWorld, after position: DeskPosition? = nil) -> DeskCatchUp? {
        let answer = world.desk(.follows(Self.seat, Self.ada, clientID: "alice", after: position))
        return if case .missed(let missed)? = answer { missed } else { nil }
    }

    private func events(_ effects: [ServerEffect]) -> [DeskEvent] {
        effects.flatMap { effect -> [DeskEvent] in if case .tellDesks(let events) = effect { events } else { [] } }
    }

    private func changes(_ events: [DeskEvent]) -> [DeskChange] {
        events.compactMap { if case .changed(_, let change) = $0 { change } else { nil } }
    }

    private func say(_ text: String, uuid: String? = nil) -> DeskAction {
        .says(Content(.message, uuid: uuid, text: text))
    }

    // MARK: The inbox

    @Test("A client waits from the first unanswered message until an answer")
    func waiting() throws {
        let world = world()
        #expect(row(world)?.state == .closed)
        world.send("one", uuid: "u1")
        let since = try #require(page(world)?.messages.last?.sentAt)
        world.advance(milliseconds: 5_000)
        world.send("two", uuid: "u2")
        let waiting = try #require(row(world))
        #expect(waiting.state == .waiting)
        #expect(waiting.waitingSince == since)
        #expect(waiting.unread == 2)
        #expect(waiting.preview == "two")
        act(say("Hello"), world)
        let answered = try #require(row(world))
        #expect(answered.state == .open)
        #expect(answered.waitingSince == nil)
        #expect(answered.assignee == Self.ada)
    }

    @Test("The longest waiting conversation is first, and the inbox is limited")
    func order() throws {
        var limits = ServerLimits()
        limits.desk.inboxRows = 2
        let world = world(limits: limits)
        for (number, client) in [(2, "bob"), (3, "carol")] as [(UInt64, String)] {
            world.join(client, on: ConnectionID(number))
        }
        world.send("from carol", uuid: "c", on: ConnectionID(3))
        world.advance(milliseconds: 10)
        world.send("from alice", uuid: "a")
        guard case .inbox(let inbox)? = world.desk(.inbox) else {
            Issue.record("no inbox")
            return
        }
        #expect(inbox.rows.map(\.clientID) == ["carol", "alice"])
        #expect(inbox.total == 3)
    }

    // MARK: Assignment

    @Test("The first reply assigns a conversation; a colleague cannot write, close or type")
    func assignment() throws {
        let world = world()
        world.send("one", uuid: "u1")
        act(say("Hello"), world)
        #expect(world.effects.pushes().last?.content.operator?.name == "Ada")
        let before = world.kept
        for action in [say("Me, too"), .closes(nil), .types, .claims(from: nil), .claims(from: "eve"), .releases] {
            #expect(act(action, by: Self.ben, world)?.refusal?.code == .assigned)
        }
        #expect(world.kept == before)
        #expect(act(.claims(from: "ada"), by: Self.ben, world) == .done(messageID: nil))
        #expect(row(world)?.assignee == Self.ben)
        #expect(act(say("I was here"), world)?.refusal?.code == .assigned)
    }

    @Test("An assignment and notes survive a restart, and an assignment ends with the thread")
    func restart() throws {
        let world = world()
        world.send("one", uuid: "u1")
        act(.claims(from: nil), world)
        act(.notes(id: "n1", text: "Prefers mail."), world)
        world.restart()
        #expect(row(world)?.assignee == Self.ada)
        #expect(page(world)?.notes.map(\.text) == ["Prefers mail."])
        world.join(on: ConnectionID(2))
        // The client closes the thread.
        world.receive(.sendMessage(Content(.closeThread), deviceAddress: nil), on: ConnectionID(2))
        #expect(row(world)?.assignee == nil)
        #expect(world.kept.desk.assignments.isEmpty)
        #expect(act(.releases, world)?.refusal?.code == .nothingToDo)
    }

    @Test("The bot does not answer while a conversation is assigned")
    func bot() {
        let world = world(bot: BotSettings(delay: 1_000_000_000))
        world.send("one", uuid: "u1")
        // The answer is planned, but an operator is faster.
        act(.claims(from: nil), world)
        world.send("two", uuid: "u2")
        let texts = world.runToRest().pushes().map(\.content.text)
        #expect(texts.isEmpty)
        act(.releases, world)
        world.send("three", uuid: "u3")
        #expect(world.runToRest().pushes().map(\.content.text).contains("You wrote: three"))
    }

    // MARK: Writing

    @Test("A reply or a note that is sent twice is stored once")
    func idempotency() throws {
        let world = world()
        world.send("one", uuid: "u1")
        let first = act(say("Hello", uuid: "r1"), world)
        #expect(first?.refusal == nil)
        #expect(act(say("Hello", uuid: "r1"), world) == first)
        #expect(world.history().count { $0.text == "Hello" } == 1)
        // A client's uuid is not a repetition.
        #expect(act(say("Hello", uuid: "u1"), world)?.refusal?.code == .unusable)
        for _ in 0..<2 { act(.notes(id: "n1", text: "Note"), world) }
        #expect(page(world)?.notes.count == 1)
    }

    @Test("A refused reply neither assigns the conversation nor joins it")
    func refusedReply() {
        let world = world()
        world.send("one", uuid: "u1")
        let before = world.kept
        #expect(act(say(""), world)?.refusal?.code == .unusable)
        #expect(act(say(String(repeating: "x", count: 4_001)), world)?.refusal?.code == .tooLong)
        #expect(act(.notes(id: "", text: "Note"), world)?.refusal?.code == .unusable)
        #expect(act(.reads(through: "nothing"), world)?.refusal?.code == .unknownMessage)
        #expect(world.kept == before)
        #expect(act(say("Hello"), in: "nobody", world)?.refusal?.code == .unknownClient)
    }

    @Test("No frame and no history contains a note")
    func notesAreInternal() {
        let world = world()
        world.send("one", uuid: "u1")
        world.effects = []
        act(.notes(id: "n1", text: "A secret about the client"), world)
        #expect(world.effects.frames().isEmpty)
        #expect(!world.history().contains { $0.text?.contains("secret") ?? false })
        world.join(on: ConnectionID(2))
        #expect(!"\(world.effects.frames(to: ConnectionID(2)))".contains("secret"))
    }

    @Test("Reading through a message tells the client, but not about later messages")
    func reading() throws {
        let world = world()
        world.send("one", uuid: "u1")
        let first = try #require(page(world)?.messages.last?.messageID)
        world.send("two", uuid: "u2")
        act(.reads(through: first), world)
        #expect(row(world)?.unread == 1)
        let told = world.effects.frames().contains { frame in
            if case .statuses(let changes) = frame.body { changes.map(\.messageID) == [first] } else { false }
        }
        #expect(told)
    }

    @Test("Closing with a survey sends the survey first; a closed conversation cannot be closed again")
    func closing() throws {
        let world = world()
        world.send("one", uuid: "u1")
        let survey = Survey(id: 1, questions: [SurveyQuestion(id: 1, text: "How?")])
        world.effects = []
        #expect(act(.closes(survey), world) == .done(messageID: nil))
        let types = world.effects.pushes().map(\.content.wireType)
        let sent = try #require(types.firstIndex(of: "SURVEY"))
        #expect(sent < (try #require(types.firstIndex(of: "THREAD_CLOSED"))))
        #expect(act(.closes(nil), world)?.refusal?.code == .nothingToDo)
    }

    // MARK: The feed

    @Test("Every committed change reaches an open desk, with increasing numbers")
    func live() throws {
        let world = world()
        let start = try #require(follow(world)).position
        let seen = world.effects.count
        world.send("one", uuid: "u1")
        act(say("Hello"), world)
        act(.notes(id: "n1", text: "Note"), world)
        world.act(.edits(message: OperatorAction.lastOfOperator, text: "Hello!"))
        let events = events(Array(world.effects[seen...]))
        let numbers = events.compactMap { if case .changed(let position, _) = $0 { position.number } else { nil } }
        #expect(numbers == Array((start.number + 1)...(start.number + Int64(numbers.count))))
        let texts = changes(events).compactMap { change -> String? in
            switch change {
            case .message(let message): message.content.text
            case .note(let note): note.text
            default: nil
            }
        }
        for text in ["one", "Hello", "Note", "Hello!"] { #expect(texts.contains(text), "\(text)") }
    }

    @Test("A desk that was away gets what it has missed, in its present state; after a restart it must reload")
    func resume() throws {
        let world = world()
        let position = try #require(follow(world)).position
        world.desk(.leaves(Self.seat))
        world.send("one", uuid: "u1")
        act(say("Hello"), world)
        world.act(.edits(message: OperatorAction.lastOfOperator, text: "Hello!"))
        let missed = try #require(follow(world, after: position))
        let messages = changes(try #require(missed.events)).compactMap { change in
            if case .message(let message) = change { message.content.text } else { nil }
        }
        #expect(messages.filter { $0 == "one" || $0 == "Hello!" } == ["one", "Hello!"])
        #expect(!messages.contains("Hello"))
        #expect(follow(world, after: missed.position)?.events == [])
        world.restart()
        let after = try #require(follow(world, after: missed.position))
        #expect(after.events == nil)
        #expect(after.position != missed.position)
    }

    @Test("A desk that has missed too much must reload")
    func tooMuch() throws {
        var limits = ServerLimits()
        limits.desk.changes = 4
        let world = world(limits: limits)
        let position = try #require(follow(world)).position
        for number in 0..<5 { world.send("\(number)", uuid: "u\(number)") }
        #expect(follow(world, after: position)?.events == nil)
    }

    @Test("Without a stream no event is produced")
    func silent() {
        let world = world()
        world.desk(.sits(.page(session: "s"), Self.ada, clientID: "alice"))
        world.send("one", uuid: "u1")
        #expect(events(world.effects).isEmpty)
    }

    @Test("Typing in both directions and presence are shown, but not repeated")
    func passing() throws {
        let world = world()
        let position = try #require(follow(world)).position
        let seen = world.effects.count
        world.receive(
            .sendMessage(Content(.typing(draft: "Hel", operatorName: nil)), deviceAddress: nil), on: ConnectionID(1))
        act(.types, world)
        world.desk(.sits(.page(session: "t"), Self.ben, clientID: "alice"))
        let events = events(Array(world.effects[seen...]))
        #expect(events.contains(.types(clientID: "alice", draft: "Hel")))
        #expect(events.contains(.operatorTypes(clientID: "alice", Self.ada)))
        #expect(
            events.contains { event in
                if case .present(let colleagues) = event {
                    colleagues.map(\.operator) == [Self.ada, Self.ben]
                } else {
                    false
                }
            })
        #expect(follow(world, after: position)?.events == [])
        #expect(world.effects.pushes().last?.content.wireType == "TYPING")
        // The page's seat expires.
        #expect(changes(self.events(world.runToRest())).isEmpty)
        #expect(follow(world)?.colleagues.map(\.operator) == [Self.ada])
    }

    @Test("Seats are limited")
    func full() {
        var limits = ServerLimits()
        limits.desk.seats = 1
        let world = world(limits: limits)
        #expect(follow(world) != nil)
        let second = world.desk(.follows(.stream(2, session: "t"), Self.ben, clientID: nil, after: nil))
        #expect(second?.refusal?.code == .full)
    }

    // MARK: Reading

    @Test("A page has the messages around a hit, and notes of its time")
    func pages() throws {
        var limits = ServerLimits()
        limits.desk.pageMessages = 4
        let world = world(limits: limits)
        for number in 0..<10 {
            world.advance(milliseconds: 1_000)
            world.send("message \(number)", uuid: "u\(number)")
        }
        act(.notes(id: "n", text: "late"), world)
        let newest = try #require(page(world))
        #expect(newest.messages.map(\.content.text) == (6...9).map { "message \($0)" })
        #expect(newest.hasOlder && !newest.hasNewer)
        #expect(newest.notes.count == 1)
        guard case .results(let results)? = world.desk(.search("MESSAGE 3")),
            case .message(let hit, _)? = results.hits.first
        else {
            Issue.record("no hit")
            return
        }
        let around = try #require(page(world, .around(hit.messageID)))
        #expect(around.messages.compactMap(\.content.text) == (1...5).map { "message \($0)" })
        #expect(around.hasOlder && around.hasNewer)
        #expect(around.notes.isEmpty)
        let older = try #require(page(world, .before(around.messages[0].messageID)))
        #expect(older.messages.last?.content.text == "message 0")
        #expect(!older.hasOlder)
    }

    @Test("A search finds clients, notes and messages, and ends at its limits")
    func search() throws {
        var limits = ServerLimits()
        limits.desk.searchResults = 3
        let world = world(limits: limits)
        for number in 0..<5 { world.send("alice says \(number)", uuid: "u\(number)") }
        act(.notes(id: "n", text: "Alice is a friend"), world)
        guard case .results(let results)? = world.desk(.search("alice")) else {
            Issue.record("no results")
            return
        }
        #expect(results.hits.count == 3)
        #expect(results.isPartial)
        guard case .client = results.hits[0], case .note = results.hits[1], case .message = results.hits[2] else {
            Issue.record("\(results.hits)")
            return
        }
        #expect(world.desk(.search(String(repeating: "x", count: 257)))?.refusal?.code == .tooLong)
        guard case .results(let none)? = world.desk(.search("")) else {
            Issue.record("no results")
            return
        }
        #expect(none.hits.isEmpty && !none.isPartial)
    }
}
