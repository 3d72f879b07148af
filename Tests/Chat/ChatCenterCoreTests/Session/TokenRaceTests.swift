import ChatCenterCore
import ChatWire
import Testing

/// Tests a refused token while several operations are in progress. Their answers arrive in any order, before and after
/// the next token.
@Suite struct TokenRaceTests {
    private struct Outcome {
        var questions = 0
        var chat: Chat
    }

    /// Lets the server answer in a random order. The application provides its next token at a random time.
    private func run(_ seed: UInt64, next: String, _ prepare: (inout Chat) -> Void) -> Outcome {
        var draw = SeededNumbers(seed: seed)
        var chat = Chat(ChatSettings(providerUID: "p", hasTokenProvider: true))
        chat.isLive = false
        prepare(&chat)
        var commands: [NetworkCommand] = []
        var answers: [NetworkEvent] = []
        var seen = 0
        var outcome = Outcome(chat: chat)
        var attempts: [TokenAttempt] = []
        for _ in 0..<5000 {
            while let command = chat.takeCommand() { commands.append(command) }
            for effect in chat.effects[seen...] {
                if case .askForToken(let attempt) = effect {
                    attempts.append(attempt)
                    outcome.questions += 1
                }
            }
            seen = chat.effects.count
            if !attempts.isEmpty, draw.chance(20) {
                chat.handle(.token(attempts.removeFirst(), WireCredentials(token: next)))
            } else if !commands.isEmpty, draw.chance(60) {
                let index = draw.below(commands.count)
                answers += chat.server.answer(takeInOrder(index, of: &commands))
            } else if !answers.isEmpty {
                chat.handle(.network(takeInOrder(draw.below(answers.count), of: &answers)))
            } else if commands.isEmpty, attempts.isEmpty {
                break
            }
        }
        outcome.chat = chat
        return outcome
    }

    /// Frames on the socket stay in order; calls can overtake each other.
    private func takeInOrder(_ index: Int, of commands: inout [NetworkCommand]) -> NetworkCommand {
        let isOfSocket: (NetworkCommand) -> Bool = { command in
            switch command {
            case .openSocket, .transmit, .ping, .closeSocket: true
            default: false
            }
        }
        guard isOfSocket(commands[index]), let first = commands.firstIndex(where: isOfSocket) else {
            return commands.remove(at: index)
        }
        return commands.remove(at: first)
    }

    private func takeInOrder(_ index: Int, of answers: inout [NetworkEvent]) -> NetworkEvent {
        let isOfSocket: (NetworkEvent) -> Bool = { event in
            switch event {
            case .socketOpened, .received, .transmitted, .ponged, .socketClosed, .unreadable: true
            default: false
            }
        }
        guard isOfSocket(answers[index]), let first = answers.firstIndex(where: isOfSocket) else {
            return answers.remove(at: index)
        }
        return answers.remove(at: first)
    }

    private static func wasGivenUp(_ chat: Chat) -> Bool {
        chat.notices.contains { if case .reauthorizationNeeded = $0 { true } else { false } }
    }

    @Test("a stale token is replaced once, whatever the order of the answers")
    func replaced() {
        for seed in UInt64(0)..<300 {
            let outcome = run(seed, next: "good") { chat in
                chat.server.acceptedToken = "good"
                chat.authorize()
                chat.open()
                chat.send("1", "a-1")
                chat.send(
                    "2", "a-2",
                    files: [
                        .init(
                            id: TransferID("f"),
                            file: LocalFile(path: "/tmp/f", name: "f.png", type: "image/png", size: 3))
                    ])
            }
            #expect(outcome.questions == 1, "seed \(seed)")
            #expect(!Self.wasGivenUp(outcome.chat), "seed \(seed)")
            #expect(outcome.chat.state == .ready, "seed \(seed)")
            #expect(outcome.chat.notices.contains(.authorized(.success(Chat.user))), "seed \(seed)")
            #expect(outcome.chat.server.accepted == ["a-1", "a-2"], "seed \(seed)")
        }
    }

    @Test("if the next token is refused too, it is reported once and all callers fail")
    func refusedAgain() {
        for seed in UInt64(0)..<300 {
            let outcome = run(seed, next: "bad as well") { chat in
                chat.server.acceptedToken = "good"
                chat.authorize()
                chat.open()
            }
            #expect(outcome.questions == 1, "seed \(seed)")
            #expect(
                outcome.chat.notices.count { if case .reauthorizationNeeded = $0 { true } else { false } } == 1,
                "seed \(seed)")
            #expect(outcome.chat.state == .closed(.unauthorized), "seed \(seed)")
            let told = outcome.chat.notices.count { if case .authorized(.failure) = $0 { true } else { false } }
            #expect(told == 1, "seed \(seed)")
            #expect(outcome.chat.openedSockets <= 2, "seed \(seed)")
        }
    }

    @Test("if the provider returns the same token, its refusal is final")
    func theSameAgain() {
        for seed in UInt64(0)..<100 {
            let outcome = run(seed, next: "t-1") { chat in
                chat.server.acceptedToken = "good"
                chat.authorize()
                chat.open()
            }
            #expect(outcome.questions == 1, "seed \(seed)")
            #expect(Self.wasGivenUp(outcome.chat), "seed \(seed)")
        }
    }
}
