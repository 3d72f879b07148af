import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests a store that fails in the middle of a turn.
@Suite struct StoreFailureTests {
    func refusals(_ chat: Chat) -> [SendRefusal] {
        chat.effects.compactMap { if case .acknowledge(_, .failure(let refusal)) = $0 { refusal } else { nil } }
    }

    @Test func anUnstoredMessageIsRefusedCompletely() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.stores.of("ann").failuresToCome = 1
        chat.send("Hi", "a-1", files: [])
        #expect(refusals(chat) == [.store(StoreFailure(.diskFull))])
        #expect(chat.own("a-1") == nil)
        #expect(chat.server.accepted.isEmpty)
        #expect(chat.screen.banners == [.storeFailed(StoreFailure(.diskFull))])
        #expect(chat.state == .ready)
        chat.advance(milliseconds: 5000)
        #expect(chat.screen.banners.isEmpty)
        chat.send("Hi", "a-1")
        #expect(chat.server.accepted == ["a-1"])
        chat.restart()
        chat.authorize()
        #expect(chat.own("a-1") == .sent)
    }

    @Test func aMessageWhoseSendingCannotBeStoredIsNotSent() {
        var chat = Chat()
        chat.authorize()
        chat.send("Hi", "a-1")
        chat.open()
        chat.send("next", "a-2")
        #expect(chat.server.accepted == ["a-1", "a-2"])

        var failing = Chat()
        failing.authorize()
        failing.send("Hi", "a-1")
        // The device address is stored, then the store fails.
        failing.server.silence = .clientInfo
        failing.open()
        failing.stores.of("ann").failuresToCome = 1
        failing.server.silence = []
        let frame = failing.networkCommands.compactMap { command -> String? in
            if case .transmit(_, _, let frame) = command { frame.correlationID } else { nil }
        }.last
        let receipt = ServerFrame(.receipt(SendReceipt(messageID: "m", sentAt: nil)), correlationID: frame)
        failing.handle(.network(.received(Generation(1), receipt)))
        #expect(failing.server.accepted.isEmpty)
        #expect(failing.own("a-1") == .queued)
        failing.advance(milliseconds: 5000)
        #expect(failing.server.accepted == ["a-1"])
        #expect(failing.own("a-1") == .sent)
    }

    @Test func unstoredChangesAreStoredLaterInOrder() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        let store = chat.stores.of("ann")
        store.failuresToCome = 3
        for number in 0..<4 { chat.push(chat.server.says("\(number)", uuid: "o-\(number)")) }
        #expect(chat.screen.messages.map(\.text) == ["0", "1", "2", "3"])
        chat.advance(milliseconds: 20_000)
        #expect(store.contents.orderedMessages.map(\.content.text) == ["0", "1", "2", "3"])
        #expect(store.contents.orderedMessages.allSatisfy { $0.state == .received(.read) })
        #expect(chat.state == .ready)
    }

    @Test func otherEffectsOfALostTurnStillHappen() {
        var chat = Chat()
        _ = chat.server.says("one", uuid: "o-1")
        chat.stores.of("ann").failuresToCome = 2
        chat.authorize()
        chat.open()
        #expect(chat.state == .ready)
        #expect(chat.notices.contains(.authorized(.success(Chat.user))))
        chat.advance(milliseconds: 10_000)
        #expect(chat.stores.of("ann").contents.deviceAddress == "device-of-ann")
        #expect(chat.stores.of("ann").contents.cursor == "o-1")
    }

    @Test func aPermanentlyFailingStoreClosesTheSocketAndMemoryIsLimited() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.stores.of("ann").failuresToCome = 1_000_000
        for number in 0..<1200 { chat.push(chat.server.says("\(number)", uuid: "o-\(number)")) }
        #expect(chat.state == .closed(.storeFailed))
        chat.stores.of("ann").failuresToCome = 0
        chat.advance(milliseconds: 20_000)
        #expect(chat.state == .ready)
        #expect(chat.stores.of("ann").contents.orderedMessages.count == 1200)
    }

    @Test func aUserWhoReturnsBeforeTheErasureWasStoredDoesNotSeeErasedData() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.push(Content(.message, uuid: "o-1", operator: Operator(name: "Eva"), text: "secret"))
        chat.stores.of("ann").failuresToCome = 2
        chat.handle(.deauthorize)
        #expect(!chat.stores.of("ann").contents.orderedMessages.isEmpty)
        chat.authorize()
        #expect(chat.screen.messages.isEmpty)
        chat.advance(milliseconds: 20_000)
        #expect(chat.stores.of("ann").contents.orderedMessages.isEmpty)
    }

    @Test func aFailureOfAnEarlierTurnChangesNothing() {
        var chat = Chat()
        chat.authorize()
        chat.handle(.wake)
        let before = chat.core
        chat.handle(.commitFailed(StoreTransaction(user: "ann", changes: [.erase]), StoreFailure(.other)))
        chat.handle(.wake)
        #expect(chat.core == before)
    }

    /// On a live socket, the same turn accepts the message, records its sending and sends it. If the first commit
    /// fails, the second one must not leave a trace of the refused message. Otherwise, the next process would send it.
    @Test func aRefusedMessageDoesNotReturnInTheNextProcess() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.stores.of("ann").failuresToCome = 1
        chat.send(
            "Hi", "a-1",
            files: [
                OutgoingMessage.File(
                    id: TransferID("f"), file: LocalFile(path: "/f", name: "f.png", type: "image/png", size: 1))
            ])
        chat.send("again", "a-2")
        chat.advance(milliseconds: 5000)
        let contents = chat.stores.of("ann").contents
        #expect(contents.orderedMessages.map(\.id.text) == ["a-2"])
        #expect(contents.orderedAttachments.isEmpty)
        #expect(!chat.networkCommands.contains { if case .upload = $0 { true } else { false } })
        chat.restart()
        chat.authorize()
        chat.open(2)
        #expect(chat.server.accepted == ["a-2"])
    }

    @Test func aRefusedTextDoesNotReturnInTheNextProcess() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.stores.of("ann").failuresToCome = 1
        chat.send("Hi", "a-1")
        chat.advance(milliseconds: 5000)
        #expect(chat.stores.of("ann").contents.orderedMessages.isEmpty)
        chat.restart()
        chat.authorize()
        chat.open(2)
        #expect(chat.server.accepted.isEmpty)
    }

    @Test func erasedDataIsNotWrittenFirst() {
        for event in [ChatEvent.deauthorize, .logout(Ticket(5))] {
            var chat = Chat()
            chat.authorize()
            chat.open()
            chat.stores.of("ann").failuresToCome = 1
            chat.push(chat.server.says("secret", uuid: "o-1"))
            chat.forgetEffects()
            chat.handle(event)
            let commits = chat.effects.compactMap { effect in
                if case .commit(let transaction) = effect { transaction } else { nil }
            }
            #expect(commits.first?.changes.first == .erase, "\(event)")
            chat.advance(milliseconds: 5000)
            #expect(chat.stores.of("ann").contents.isEmpty, "\(event)")
        }
    }

    @Test("a logout completes when the user's data is deleted, whatever the server answers", arguments: [true, false])
    func erasedThenReported(_ serverHears: Bool) {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.send("secret", "a-1")
        let store = chat.stores.of("ann")
        if !serverHears { chat.server.silence = .offline }
        store.failuresToCome = 20
        let outcome = SDKNotice.loggedOut(Ticket(5), serverHears ? .server : .localOnlyPending)
        chat.handle(.logout(Ticket(5)))
        chat.advance(milliseconds: 60_000)
        #expect(chat.server.offline == ["ann"])
        #expect(!store.contents.orderedMessages.isEmpty)
        #expect(!chat.notices.contains(outcome))
        store.failuresToCome = 0
        chat.advance(milliseconds: 5000)
        #expect(store.contents.orderedMessages.isEmpty)
        #expect(store.contents.deviceAddress == nil)
        #expect(chat.notices.count { $0 == outcome } == 1)
    }

    @Test("a user who returns before the erasure completes starts with an empty store", arguments: [true, false])
    func returnsBeforeTheErasure(_ isHandOver: Bool) {
        let file = LocalFile(path: "/f", name: "f.png", type: "image/png", size: 1)
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .upload
        chat.send("secret", "a-1", files: [OutgoingMessage.File(id: TransferID("f"), file: file)])
        chat.stores.of("ann").failuresToCome = 1
        if isHandOver {
            chat.authorize(UserIdentity(clientID: "bob"), WireCredentials(token: "t-bob"))
        } else {
            chat.handle(.deauthorize)
        }
        #expect(chat.stores.of("ann").contents.orderedAttachments.count == 1, "the erasure failed")
        chat.forgetEffects()
        chat.server.silence = []
        chat.authorize()
        chat.open(2)
        chat.advance(milliseconds: 60_000)
        #expect(chat.effects.contains(.discardFile(file)))
        #expect(!chat.networkCommands.contains { if case .upload = $0 { true } else { false } })
        #expect(chat.screen.messages.isEmpty)
        #expect(chat.server.accepted.isEmpty)
        #expect(chat.stores.of("ann").contents.orderedMessages.isEmpty)
        #expect(chat.stores.of("ann").contents.orderedAttachments.isEmpty)
    }

    /// The erasure replaces the commit that released the file, and it can fail too.
    @Test func aFileStaysUntilAnErasureSucceeds() {
        for event in [ChatEvent.deauthorize, .logout(Ticket(5))] {
            let file = LocalFile(path: "/f", name: "f.png", type: "image/png", size: 1)
            var chat = Chat()
            chat.authorize()
            chat.open()
            chat.server.silence = .upload
            chat.send("secret", "a-1", files: [OutgoingMessage.File(id: TransferID("f"), file: file)])
            chat.stores.of("ann").failuresToCome = 2
            chat.handle(.network(.transferred(TransferID("f"), .success(RemoteFile(reference: "r")))))
            chat.handle(event)
            #expect(chat.stores.of("ann").contents.orderedAttachments.count == 1, "\(event)")
            #expect(!chat.effects.contains(.discardFile(file)), "\(event)")
            chat.advance(milliseconds: 5000)
            #expect(chat.stores.of("ann").contents.orderedAttachments.isEmpty, "\(event)")
            #expect(chat.effects.count { $0 == .discardFile(file) } == 1, "\(event)")
        }
    }

    /// Changes that were reported after a successful commit are stored at once. Otherwise, the next process would lose
    /// them.
    @Test func aRecoveredStoreIsUsedAtOnce() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .message
        chat.send("1", "a-1")
        chat.stores.of("ann").failuresToCome = 1
        chat.push(chat.server.says("Hello", uuid: "o-1"))
        chat.send("2", "a-2")
        chat.server.silence = []
        chat.breakLink()
        #expect(chat.own("a-1") == .sent)
        #expect(chat.server.accepted == ["a-1", "a-2"], "the queue does not wait")
        chat.restart()
        chat.now.wall += 60_000
        chat.server.silence = .everything
        chat.forgetEffects()
        chat.authorize()
        #expect(chat.own("a-1") == .sent)
        #expect(!chat.notices.contains(.message(MessageID("a-1"), .failed(.timedOut))))
    }
}
