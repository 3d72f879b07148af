import ChatServerCore
import ChatWire
import Testing

@Suite("Messages")
struct MessageTests {
    @Test("A message is committed before it is acknowledged")
    func commitFirst() throws {
        let world = ServerWorld()
        world.join()
        let effects = world.send("Hello", uuid: "u1", correlationID: "k")
        guard case .commit(let writes) = try #require(effects.first) else {
            Issue.record("The first effect is not a commit.")
            return
        }
        #expect(writes.contains { if case .message(let message) = $0 { message.uuid == "u1" } else { false } })
        let receipt = try #require(effects.receipt())
        #expect(receipt.sentAt != nil)
        #expect(receipt.status == .sent)
        #expect(effects.frames().first { $0.correlationID == "k" }?.action == "sendMessage")
    }

    @Test("A repeated uuid is answered like the first, without other effects")
    func repeatedUUID() throws {
        let world = ServerWorld(bot: BotSettings())
        world.join()
        let first = try #require(world.send("Hello", uuid: "u1").receipt())
        _ = world.runToRest()
        let again = world.send("Hello", uuid: "u1")
        #expect(again.receipt() == first)
        #expect(again.count == 1)
        #expect(world.core.nextWake == nil)
        #expect(world.history().count { $0.uuid == "u1" } == 1)
    }

    @Test("A repeated uuid is recognized after a restart")
    func repeatedAcrossRestart() throws {
        let world = ServerWorld()
        let address = try #require(world.join())
        let first = try #require(world.send("Hello", uuid: "u1").receipt())
        world.restart()
        world.join(on: ConnectionID(2), address: address)
        #expect(world.send("Hello", uuid: "u1", on: ConnectionID(2)).receipt(to: ConnectionID(2)) == first)
        #expect(world.history().count { $0.uuid == "u1" } == 1)
    }

    @Test("Clients may use equal uuids")
    func uuidsBelongToClients() throws {
        let world = ServerWorld()
        world.join()
        world.join("bob", on: ConnectionID(2))
        let alice = try #require(world.send("A", uuid: "u1").receipt())
        let bob = try #require(world.send("B", uuid: "u1", on: ConnectionID(2)).receipt(to: ConnectionID(2)))
        #expect(alice.messageID != bob.messageID)
    }

    @Test("A client cannot use the uuid of an operator's message")
    func operatorsUUID() throws {
        let world = ServerWorld()
        world.join()
        world.handle(.operatorActed(.says("Hi"), clientID: "alice"))
        let uuid = try #require(world.history().last?.uuid)
        #expect(world.send("Mine", uuid: uuid).failure() == ErrorAnswer("message.uuid"))
    }

    @Test(
        "An invalid message is refused with its reason",
        arguments: [
            (Content(.message, text: "no uuid"), "message.uuid"),
            (Content(.message, uuid: "", text: "empty uuid"), "message.uuid"),
            (Content(.message, uuid: String(repeating: "u", count: 257), text: "x"), "message.uuid"),
            (Content(.message, uuid: "u"), "message.empty"),
            (Content(.message, uuid: "u", text: String(repeating: "ä", count: 4_001)), "message.too-long"),
            (
                Content(.message, uuid: "u", attachments: Array(repeating: Attachment(), count: 21)),
                "message.too-many-attachments"
            ),
            (Content(.threadOpened, uuid: "u"), "content.unknown"),
            (Content(.unknown(type: "NEW", raw: .null), uuid: "u"), "content.unknown"),
        ])
    func refusals(content: Content, code: String) {
        let world = ServerWorld()
        world.join()
        let before = world.kept
        #expect(world.receive(.sendMessage(content, deviceAddress: nil), on: ConnectionID(1)).failure()?.error == code)
        #expect(world.kept == before)
    }

    @Test("A message may have 4000 characters")
    func longestText() {
        let world = ServerWorld()
        world.join()
        #expect(world.send(String(repeating: "ä", count: 4_000), uuid: "u").receipt() != nil)
    }

    @Test("Unreadable and unknown frames are answered")
    func malformedFrames() throws {
        let world = ServerWorld()
        world.join()
        let effects = world.handle(.unreadable(ConnectionID(1), WireError(.notAnObject, in: "frame")))
        #expect(effects.failure()?.error == "frame.malformed")
        #expect(effects.notes == [.unreadableFrame])
        let unknown = world.receive(.unknown(action: "dance", data: .null), on: ConnectionID(1))
        #expect(unknown.failure() == ErrorAnswer("action.unknown"))
        #expect(unknown.frames().first?.action == "dance")
        #expect(world.receive(.ping, on: ConnectionID(1)).frames().first?.body == .done(action: "ping"))
    }

    @Test("Events of closed connections are only noted")
    func staleEvents() {
        let world = ServerWorld()
        #expect(world.send("x", uuid: "u", on: ConnectionID(9)).notes == [.unknownConnection])
        #expect(world.handle(.disconnected(ConnectionID(9))).notes == [.unknownConnection])
        let unreadable = world.handle(.unreadable(ConnectionID(9), WireError(.notAnObject, in: "frame")))
        #expect(unreadable.notes == [.unknownConnection])
        world.handle(.connected(ConnectionID(1), token: nil))
        #expect(world.handle(.connected(ConnectionID(1), token: nil)).notes == [.repeatedConnection])
    }

    @Test("Dates of a conversation increase even if the wall clock goes back")
    func datesGoUp() {
        let world = ServerWorld()
        world.join()
        world.send("one", uuid: "u1")
        world.now.wall -= 3_600_000
        world.send("two", uuid: "u2")
        world.send("three", uuid: "u3")
        let dates = world.history().compactMap(\.receivedDate)
        #expect(dates == dates.sorted())
        #expect(Set(dates).count == dates.count)
    }

    @Test("Another device of the client gets a copy of the message")
    func mirror() throws {
        let world = ServerWorld()
        world.join()
        world.join(on: ConnectionID(2))
        world.send("Hello", uuid: "u1")
        let effects = world.send("Again", uuid: "u2")
        let mirror = try #require(effects.pushes(to: ConnectionID(2)).first)
        #expect(mirror.kind == .mirror)
        #expect(mirror.content.uuid == "u2")
        #expect(effects.pushes(to: ConnectionID(1)).isEmpty)
    }

    @Test("Typing is acknowledged and not stored")
    func typing() {
        let world = ServerWorld()
        world.join()
        let before = world.kept
        let content = Content(.typing(draft: "Hel", operatorName: nil))
        let effects = world.receive(.sendMessage(content, deviceAddress: nil), on: ConnectionID(1))
        #expect(effects.receipt() != nil)
        #expect(world.kept == before)
    }

    @Test("A survey's answer is accepted once and is not part of the history")
    func surveyAnswer() {
        let world = ServerWorld()
        world.join()
        let answer = Content(.surveyQuestionAnswer(SurveyAnswer(questionID: 1, rate: 5)), uuid: "s1")
        let first = world.receive(.sendMessage(answer, deviceAddress: nil), on: ConnectionID(1)).receipt()
        let second = world.receive(.sendMessage(answer, deviceAddress: nil), on: ConnectionID(1)).receipt()
        #expect(first != nil)
        #expect(first == second)
        #expect(world.history().isEmpty)
    }
}
