import ChatWire
import Testing

@testable import ChatServerCore

@Suite("Conversations")
struct ConversationsTests {
    private let now = ServerMoment(monotonic: 0, wall: 1_000)

    private func conversations(
        _ clients: String..., bot: BotSettings? = nil, limits: ServerLimits = ServerLimits()
    ) -> Conversations {
        let records = clients.map { ClientRecord(clientID: $0) }
        return Conversations(bot: bot, limits: limits, restored: ServerSnapshot(clients: records))
    }

    private func turn(isListening: Bool = true) -> ConversationTurn {
        ConversationTurn(now: now, isListening: isListening, identifiers: IdentifierSource(entropy: 1))
    }

    private func take(_ text: String, uuid: String, _ conversations: inout Conversations) -> Conversations.Outcome {
        var turn = turn()
        let content = Content(.message, uuid: uuid, text: text)
        return conversations.take(content, from: "alice", inHistory: true, isSendingAllowed: true, &turn)
    }

    @Test("A repeated message is answered like the first")
    func repeated() {
        var conversations = conversations("alice")
        guard case .kept(let first) = take("Hello", uuid: "u1", &conversations) else {
            Issue.record("the message is not kept")
            return
        }
        #expect(take("Again", uuid: "u1", &conversations) == .repeated(first))
        #expect(take("", uuid: "u2", &conversations) == .refused(ErrorAnswer("message.empty")))
        #expect(take("Hello", uuid: "", &conversations) == .refused(ErrorAnswer("message.uuid")))
        #expect(conversations["alice"]?.newest == first)
    }

    @Test("A message opens a thread, which is stored, announced and passed to the script first")
    func thread() {
        var conversations = conversations("alice", bot: BotSettings())
        var turn = turn()
        let content = Content(.message, uuid: "u1", text: "Hello")
        _ = conversations.take(content, from: "alice", inHistory: true, isSendingAllowed: true, &turn)
        let steps = turn.actions.map { action in
            switch action {
            case .write(.client): "client"
            case .write(.message(let message)): message.content.wireType
            case .write: "write"
            case .push(let message, _): "push \(message.content.wireType)"
            case .tell: "tell"
            case .happened(let happening): happening.kind.rawValue
            }
        }
        #expect(
            steps == [
                "client", "THREAD_OPENED", "push THREAD_OPENED", "threadOpened", "OPERATOR_JOINED",
                "push OPERATOR_JOINED", "MESSAGE",
            ])
    }

    @Test("A change is pushed to connected clients, and to others when they reconnect")
    func changes() {
        for isListening in [true, false] {
            var conversations = conversations("alice")
            _ = take("Hello", uuid: "u1", &conversations)
            var turn = turn(isListening: isListening)
            let answer = conversations.act(.edits(message: "u1", text: "Hi"), in: "alice", &turn)
            #expect(answer.refusal == nil)
            var later = self.turn()
            let missed = conversations.takeMissed(by: "alice", &later)
            #expect(missed.contains { $0.content.body == .messageEdited } == !isListening)
            #expect(conversations.takeMissed(by: "alice", &later).allSatisfy { $0.content.body != .messageEdited })
        }
    }

    @Test("The client is told once that its messages were read")
    func raise() {
        var conversations = conversations("alice")
        guard case .kept(let message) = take("Hello", uuid: "u1", &conversations) else {
            Issue.record("the message is not kept")
            return
        }
        var turn = turn()
        _ = conversations.act(.reads, in: "alice", &turn)
        _ = conversations.act(.reads, in: "alice", &turn)
        let told = turn.actions.filter { if case .tell = $0 { true } else { false } }
        #expect(told == [.tell([StatusChange(messageID: message.messageID, status: .read)])])
    }

    @Test("Blocked and unknown clients are refused")
    func blocked() {
        var conversations = conversations("alice")
        var turn = turn()
        #expect(conversations.act(.blocks(text: nil), in: "alice", &turn).refusal == nil)
        #expect(conversations.act(.blocks(text: nil), in: "alice", &turn).refusal?.code == .nothingToDo)
        #expect(take("Hello", uuid: "u1", &conversations) == .refused(ErrorAnswer("client.blocked")))
        #expect(conversations.act(.reads, in: "bob", &turn) == .unknownClient)
    }

    @Test("The client with the most bytes loses messages first")
    func room() {
        var limits = ServerLimits()
        limits.messageBytes = 3_000
        var conversations = conversations("alice", "bob", limits: limits)
        var turn = turn()
        _ = conversations.act(.says("Hi"), in: "bob", &turn)
        for number in 1...9 { _ = take(String(repeating: "x", count: 200), uuid: "u\(number)", &conversations) }
        #expect(conversations["bob"]?.log.messages.isEmpty == false)
        #expect(conversations["alice"]?.log[uuid: "u1"] == nil)
        #expect(conversations["alice"]?.log[uuid: "u9"] != nil)
    }
}
