import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests crashes between any two effects. An acknowledged message is never lost, and no message arrives twice or out of
/// order.
@Suite struct CrashTests {
    /// The actions of a user and the events of a network during a minute.
    static func live(_ chat: inout Chat) {
        chat.authorize()
        chat.send("1", "a-1")
        chat.open()
        chat.send("2", "a-2")
        chat.server.silence = .message
        chat.send("3", "a-3")
        chat.send("4", "a-4")
        chat.advance(milliseconds: 3000)
        chat.server.silence = []
        chat.push(chat.server.says("hello", uuid: "o-1"))
        chat.breakLink()
        chat.send(
            "5", "a-5",
            files: [
                OutgoingMessage.File(
                    id: TransferID("f"), file: LocalFile(path: "/f", name: "f.png", type: "image/png", size: 1))
            ])
        chat.close()
        chat.send("6", "a-6")
        chat.open(2)
        chat.handle(.enteredBackground)
        chat.send("7", "a-7")
        chat.handle(.enteredForeground)
    }

    static func length() -> Int {
        var chat = Chat()
        live(&chat)
        return chat.effects.count
    }

    @Test func theScenarioWithoutACrash() {
        var chat = Chat()
        Self.live(&chat)
        #expect(chat.server.accepted == (1...7).map { "a-\($0)" })
    }

    /// `seen`: whether commands that were given to the network before the crash still reach the server.
    @Test(arguments: [false, true])
    func atEveryEffect(seen: Bool) {
        for budget in 0..<Self.length() {
            var chat = Chat()
            chat.budget = budget
            Self.live(&chat)
            if seen { while let command = chat.takeCommand() { _ = chat.server.answer(command) } }
            let promised = chat.acknowledged
            chat.server.silence = []
            chat.restart()
            chat.authorize()
            chat.open(9)
            chat.advance(milliseconds: 60_000)
            for id in promised { #expect(chat.server.accepted.contains(id), "\(id) was lost after effect \(budget)") }
            #expect(chat.server.accepted == chat.server.accepted.sorted(), "order after effect \(budget)")
            for id in chat.server.accepted {
                #expect(chat.server.frames[id] == 1, "\(id) came twice after effect \(budget)")
                #expect(chat.own(id) == .sent || chat.own(id) == .delivered, "\(id) after effect \(budget)")
            }
            #expect(chat.screen.messages.filter { $0.id.text == "o-1" }.count <= 1)
        }
    }

    @Test func aSecondCrashIsSurvivedToo() {
        for first in stride(from: 0, to: Self.length(), by: 7) {
            for second in stride(from: 0, to: 60, by: 5) {
                var chat = Chat()
                chat.budget = first
                Self.live(&chat)
                let promised = chat.acknowledged
                chat.server.silence = []
                chat.restart()
                chat.budget = second
                chat.authorize()
                chat.open(9)
                chat.restart()
                chat.authorize()
                chat.open(10)
                chat.advance(milliseconds: 60_000)
                #expect(promised.allSatisfy(chat.server.accepted.contains), "effects \(first) and \(second)")
                #expect(chat.server.frames.allSatisfy { $0.value == 1 }, "effects \(first) and \(second)")
            }
        }
    }

    @Test func anInterruptedLogoutIsFinishedLater() {
        var whole = Chat()
        whole.authorize()
        whole.open()
        whole.forgetEffects()
        whole.handle(.logout(Ticket(1)))
        for budget in 0..<whole.effects.count {
            var chat = Chat()
            chat.authorize()
            chat.open()
            chat.send("secret", "a-1")
            chat.budget = budget
            chat.handle(.logout(Ticket(1)))
            let contents = chat.stores.of("ann").contents
            // Before the first commit nothing has happened. After it, no message is left.
            #expect(contents.orderedMessages.isEmpty || contents.deviceAddress != nil)
            if contents.orderedMessages.isEmpty { #expect(contents.deviceAddress == nil) }
        }
    }

    /// As long as the store refers to a file, the next process may need to upload it.
    @Test(arguments: [ChatEvent.logout(Ticket(1)), .deauthorize])
    func aFileIsDeletedAfterTheRowThatNamesIt(_ leaving: ChatEvent) {
        for budget in 0..<6 {
            var chat = Chat()
            chat.authorize()
            chat.server.silence = .upload
            chat.send(
                "Hi", "a-1",
                files: [
                    OutgoingMessage.File(
                        id: TransferID("f"), file: LocalFile(path: "/f", name: "f.png", type: "image/png", size: 1))
                ])
            chat.forgetEffects()
            chat.budget = budget
            chat.handle(leaving)
            let isKept = !chat.stores.of("ann").contents.orderedAttachments.isEmpty
            let isGone = chat.effects.contains { if case .discardFile = $0 { true } else { false } }
            #expect(!isKept || !isGone, "after effect \(budget)")
        }
    }
}
