import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests that the text of the input field survives the end of the process.
@Suite struct DraftTests {
    func chat() -> Chat {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.forgetEffects()
        return chat
    }

    /// Returns the drafts that were committed, in order.
    func commits(_ chat: Chat) -> [String?] {
        chat.effects.flatMap { effect -> [String?] in
            guard case .commit(let transaction) = effect else { return [] }
            return transaction.changes.compactMap { change -> String?? in
                if case .draft(let text) = change { .some(text) } else { nil }
            }
        }
    }

    func stored(_ chat: Chat) -> String? {
        var chat = chat
        return chat.stores.of("ann").contents.draft
    }

    @Test func typingCommitsAtMostEveryTwoSeconds() {
        var chat = chat()
        for count in 1...40 {
            chat.handle(.typed(String(repeating: "x", count: count)))
            chat.advance(milliseconds: 100)
        }
        #expect(commits(chat).count == 2)
        chat.advance(milliseconds: 2000)
        #expect(stored(chat)?.count == 40)
        #expect(commits(chat).count <= 3)
    }

    @Test func anUnchangedTextIsNotCommittedAgain() {
        var chat = chat()
        chat.handle(.typed("a"))
        chat.advance(milliseconds: 3000)
        #expect(commits(chat) == ["a"])
        chat.handle(.typed("ab"))
        chat.handle(.typed("a"))
        chat.advance(milliseconds: 10_000)
        #expect(commits(chat) == ["a"])
    }

    @Test func theDraftIsThereAfterARestart() {
        var chat = chat()
        chat.handle(.typed("Is my card"))
        chat.advance(milliseconds: 2000)
        chat.restart()
        chat.authorize()
        chat.open()
        #expect(chat.screen.input.text == "Is my card")
        #expect(chat.screen.input.prefill == nil)
        #expect(chat.screen.input.remaining == 3990)
        chat.forgetEffects()
        chat.advance(milliseconds: 10_000)
        #expect(commits(chat).isEmpty, "nothing changed")
    }

    @Test("the draft is stored at once when the process may end", arguments: [false, true])
    func urgent(isBackground: Bool) {
        var chat = chat()
        chat.handle(.typed("x"))
        #expect(stored(chat) == nil)
        if isBackground { chat.handle(.enteredBackground) } else { chat.close() }
        #expect(stored(chat) == "x")
    }

    @Test func aPrefillReplacesTheTextButNotTheDraft() {
        var chat = chat()
        chat.handle(.typed("draft"))
        chat.close()
        chat.handle(.prefill("Hello"))
        chat.open(2)
        #expect(chat.screen.input.text == "Hello")
        chat.close(2)
        chat.open(3)
        #expect(chat.screen.input.text == "draft")
    }

    @Test func theMessageAndTheEndOfTheDraftAreOneCommit() {
        var chat = chat()
        chat.handle(.typed("x"))
        chat.advance(milliseconds: 2000)
        chat.forgetEffects()
        chat.send("x", "a-1")
        #expect(commits(chat) == [nil])
        let transactions = chat.effects.compactMap { effect -> StoreTransaction? in
            if case .commit(let transaction) = effect, transaction.changes.contains(.draft(nil)) { return transaction }
            return nil
        }
        #expect(transactions.first?.ticket != nil, "the commit that send waits for")
        #expect(stored(chat) == nil)
        chat.restart()
        chat.authorize()
        chat.open()
        #expect(chat.screen.input.text.isEmpty)
    }

    @Test func aFailedSendDeletesTheDraftLater() {
        var chat = chat()
        chat.handle(.typed("x"))
        chat.advance(milliseconds: 2000)
        chat.stores.of("ann").failuresToCome = 1
        chat.send("x", "a-1")
        #expect(chat.acknowledged.isEmpty)
        #expect(stored(chat) == "x")
        chat.advance(milliseconds: 20_000)
        #expect(stored(chat) == nil)
    }

    @Test func aFailingStoreIsNotAskedForEachKey() {
        var chat = chat()
        chat.handle(.typed("a"))
        chat.stores.of("ann").failuresToCome = 3
        chat.advance(milliseconds: 2000)
        chat.forgetEffects()
        for count in 1...20 {
            chat.handle(.typed(String(repeating: "b", count: count)))
            chat.advance(milliseconds: 100)
        }
        #expect(commits(chat).count <= 2)
        chat.advance(milliseconds: 60_000)
        #expect(stored(chat)?.count == 20)
    }

    @Test func aLogoutErasesTheDraft() {
        var chat = chat()
        chat.handle(.typed("secret"))
        chat.advance(milliseconds: 2000)
        chat.handle(.typed("secret, and more"))
        chat.handle(.logout(Ticket(1)))
        chat.advance(milliseconds: 10_000)
        #expect(stored(chat) == nil)
        chat.authorize()
        chat.open(2)
        #expect(chat.screen.input.text.isEmpty)
    }

    @Test func theNextUserDoesNotSeeTheDraft() {
        var chat = chat()
        chat.handle(.typed("of ann"))
        chat.advance(milliseconds: 2000)
        chat.authorize(UserIdentity(clientID: "bob", name: "Bob"))
        chat.open(2)
        #expect(chat.screen.input.text.isEmpty)
    }
}
