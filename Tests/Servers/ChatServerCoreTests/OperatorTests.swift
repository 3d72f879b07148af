import ChatServerCore
import ChatWire
import Testing

@Suite("Operator and bot")
struct OperatorTests {
    private static let bot = BotSettings(delay: 1_000_000_000)

    private func kinds(_ messages: [DeliveredMessage]) -> [String] {
        messages.map(\.content.wireType)
    }

    @Test("The bot joins, reads, types and answers, in this order and at the planned times")
    func conversation() throws {
        let world = ServerWorld(bot: Self.bot)
        world.join()
        let sent = world.send("Hello", uuid: "u1")
        #expect(kinds(sent.pushes()) == ["THREAD_OPENED", "OPERATOR_JOINED"])
        #expect(world.core.nextWake == 250_000_000)

        world.advance(milliseconds: 250)
        let receipt = try #require(sent.receipt())
        let read = world.handle(.woke)
        #expect(
            read.frames().map(\.body) == [.statuses([StatusChange(messageID: receipt.messageID, status: .read)])])

        world.advance(milliseconds: 250)
        let typing = try #require(world.handle(.woke).pushes().first)
        #expect(typing.content.body == .typing(draft: nil, operatorName: "Vera"))
        #expect(typing.messageID == nil)

        world.advance(milliseconds: 499)
        #expect(world.handle(.woke).isEmpty)
        world.advance(milliseconds: 1)
        let answer = try #require(world.handle(.woke).pushes().first)
        #expect(answer.content.text == "You wrote: Hello")
        #expect(answer.content.operator?.name == "Vera")
        #expect(answer.messageID != nil)
        #expect(world.core.nextWake == nil)
    }

    @Test("Each message is answered in order, also if several are sent at once")
    func severalMessages() {
        let world = ServerWorld(bot: Self.bot)
        world.join()
        for number in 1...3 { world.send("\(number)", uuid: "u\(number)") }
        let answers = world.runToRest().pushes().compactMap { $0.content.operator == nil ? nil : $0.content.text }
        #expect(answers == ["You wrote: 1", "You wrote: 2", "You wrote: 3"])
    }

    @Test("A bot without delay does everything at the next wake-up")
    func noDelay() {
        let world = ServerWorld(bot: BotSettings(delay: 0))
        world.join()
        world.send("Hello", uuid: "u1")
        #expect(world.core.nextWake == world.now.monotonic)
        #expect(kinds(world.handle(.woke).pushes()) == ["TYPING", "MESSAGE"])
    }

    @Test("The bot acknowledges a file by name and size")
    func file() {
        let world = ServerWorld(bot: Self.bot)
        world.join()
        let content = Content(.message, uuid: "u1", attachments: [Attachment(result: "f1", name: "a.png", size: 12)])
        world.receive(.sendMessage(content, deviceAddress: nil), on: ConnectionID(1))
        let texts = world.runToRest().pushes().compactMap(\.content.text)
        #expect(texts.contains("Thank you, I have received a.png (12 bytes)."))
    }

    @Test("Help returns quick replies, a goodbye closes the thread, and the next message opens a new one")
    func threads() {
        let world = ServerWorld(bot: Self.bot)
        world.join()
        world.send("help", uuid: "u1")
        #expect(world.runToRest().pushes().contains { $0.content.quickReplies.count == 3 })
        world.send("Bye", uuid: "u2")
        #expect(kinds(world.runToRest().pushes()) == ["TYPING", "MESSAGE", "OPERATOR_LEFT", "THREAD_CLOSED"])
        #expect(kinds(world.send("Hello", uuid: "u3").pushes()) == ["THREAD_OPENED", "OPERATOR_JOINED"])
        let threads = world.history().compactMap(\.threadID)
        #expect(Set(threads) == [1, 2])
        #expect(threads == threads.sorted())
    }

    @Test("After a crash, planned answers are sent when the client reconnects")
    func restart() throws {
        let world = ServerWorld(bot: Self.bot)
        let address = try #require(world.join())
        world.send("Hello", uuid: "u1")
        world.restart()
        #expect(world.core.nextWake == nil)
        world.join(on: ConnectionID(2), address: address)
        let texts = world.runToRest().pushes(to: ConnectionID(2)).compactMap(\.content.text)
        #expect(texts == ["You wrote: Hello"])
        world.handle(.disconnected(ConnectionID(2)))
        world.join(on: ConnectionID(3), address: address)
        #expect(world.core.nextWake == nil)
    }

    @Test("Only unconfirmed messages are sent again to a reconnecting client")
    func missed() throws {
        let world = ServerWorld()
        let address = try #require(world.join())
        world.handle(.operatorActed(.says("confirmed"), clientID: nil))
        let confirmed = try #require(world.history().last?.messageID)
        let change = StatusChange(messageID: confirmed, status: .delivered)
        world.receive(.updateStatuses([change], deviceAddress: nil), on: ConnectionID(1))
        world.handle(.operatorActed(.says("lost in transit"), clientID: nil))
        world.handle(.disconnected(ConnectionID(1)))
        world.handle(.operatorActed(.says("said while offline"), clientID: nil))

        world.register(on: ConnectionID(2), address: address)
        let pushes = world.introduce(on: ConnectionID(2)).pushes(to: ConnectionID(2))
        #expect(pushes.compactMap(\.content.text) == ["lost in transit", "said while offline"])
    }

    @Test("A client that has missed many messages gets the newest")
    func missedMuch() {
        var limits = ServerLimits()
        limits.unconfirmedMessages = 3
        let world = ServerWorld(limits: limits)
        world.join()
        world.handle(.disconnected(ConnectionID(1)))
        for number in 1...9 { world.handle(.operatorActed(.says("\(number)"), clientID: nil)) }
        world.register(on: ConnectionID(2))
        let pushes = world.introduce(on: ConnectionID(2)).pushes(to: ConnectionID(2))
        #expect(pushes.compactMap(\.content.text) == ["7", "8", "9"])
    }

    @Test("An operator's edits and deletions change the history and are pushed by uuid")
    func editing() throws {
        let world = ServerWorld()
        world.join()
        world.handle(.operatorActed(.says("Helo"), clientID: "alice"))
        let uuid = try #require(world.history().last?.uuid)

        let edit = try #require(
            world.handle(.operatorActed(.edits(message: uuid, text: "Hello"), clientID: "alice")).pushes().first)
        #expect(edit.content.body == .messageEdited)
        #expect(edit.content.uuid == uuid)
        #expect(edit.content.text == "Hello")
        #expect(world.history().last?.text == "Hello")
        #expect(world.history().last?.modified == .edited)

        let deletion = try #require(
            world.handle(.operatorActed(.deletes(message: uuid), clientID: "alice")).pushes().first)
        #expect(deletion.content.body == .messageDeleted)
        #expect(world.history().last?.text == nil)
        #expect(world.history().last?.modified == .deleted)
        #expect(
            world.handle(.operatorActed(.deletes(message: "unknown"), clientID: "alice")) == [.note(.refusedAction)])
    }

    @Test("Transient contents are pushed but not stored, others are both")
    func pushing() {
        let world = ServerWorld()
        world.join()
        let wait = Content(.averageWaitTime, text: "5 minutes")
        #expect(
            kinds(world.handle(.operatorActed(.pushes(wait, isKept: false), clientID: nil)).pushes()) == [
                "AVERAGE_WAIT_TIME"
            ])
        #expect(world.history().isEmpty)
        world.handle(.operatorActed(.pushes(wait, isKept: true), clientID: nil))
        #expect(world.history().map(\.wireType) == ["AVERAGE_WAIT_TIME"])
        #expect(world.unreadCount() == 0)
    }

    @Test("An action in an unknown conversation is noted")
    func unknownClient() {
        let world = ServerWorld()
        #expect(world.handle(.operatorActed(.types, clientID: "nobody")) == [.note(.unknownClient)])
    }
}
