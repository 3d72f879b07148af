import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests messages that are blocked. A blocked message is retried automatically or by the user. The user can also
/// discard it, which lets the next messages go.
@Suite struct WedgeTests {
    /// The cause that blocks a message.
    enum Wedge: String, CaseIterable, Sendable {
        case noConnection, serverTakesNothing, upload, historyFails, tokenRefused, refusedMessage, storeFull

        /// Returns a chat in which a-1 is blocked and a-2 waits behind it.
        func chat() -> Chat {
            var chat = Chat(ChatSettings(providerUID: "p", sendTimeout: 600_000))
            chat.authorize()
            chat.open()
            switch self {
            case .noConnection:
                chat.server.silence = .upgrade
                chat.breakLink()
            case .serverTakesNothing: chat.server.silence = .register
            default: break
            }
            switch self {
            case .upload:
                chat.server.silence = .upload
                let file = LocalFile(path: "/f", name: "f.png", type: "image/png", size: 1)
                chat.send("1", "a-1", files: [.init(id: TransferID("f"), file: file)])
                chat.handle(.network(.transferred(TransferID("f"), .failure(TransportFailure(.unreachable)))))
            case .historyFails:
                chat.server.losesMessages = true
                chat.send("1", "a-1")
                chat.server.historyStatus = 403
                chat.server.losesMessages = false
                chat.breakLink()
            case .tokenRefused:
                chat.server.refusesRegister = .tokenExpired
                chat.breakLink()
                chat.send("1", "a-1")
            case .refusedMessage:
                chat.server.refusesMessage = ErrorAnswer("NO")
                chat.send("1", "a-1")
            case .storeFull:
                chat.handle(.screenDisappeared(ScreenID(1)))
                chat.send("1", "a-1")
                chat.stores.of("ann").failuresToCome = 1_000_000
                chat.open(2)
            case .noConnection, .serverTakesNothing:
                if self == .serverTakesNothing { chat.breakLink() }
                chat.send("1", "a-1")
            }
            if self != .storeFull { chat.send("2", "a-2") }
            return chat
        }

        /// Removes the cause.
        func mend(_ chat: inout Chat) {
            chat.server.silence = []
            chat.server.historyStatus = nil
            chat.stores.of("ann").failuresToCome = 0
        }
    }

    @Test("a blocked message is not lost and not shown as sent", arguments: Wedge.allCases)
    func hangs(_ wedge: Wedge) {
        let chat = wedge.chat()
        #expect(!chat.server.accepted.contains("a-1"))
        #expect(chat.own("a-1") != .sent)
        #expect(chat.own("a-1") != nil)
    }

    @Test("after the cause is removed, the message is sent automatically or on request", arguments: Wedge.allCases)
    func wayOn(_ wedge: Wedge) {
        var chat = wedge.chat()
        wedge.mend(&chat)
        switch wedge {
        case .refusedMessage: chat.handle(.resend(MessageID("a-1")))
        case .tokenRefused: chat.authorize(Chat.user, WireCredentials(token: "t-2"))
        default: chat.advance(milliseconds: 120_000)
        }
        #expect(chat.own("a-1") == .sent)
        #expect(chat.server.frames["a-1"] == 1)
        if wedge != .storeFull { #expect(chat.own("a-2") == .sent) }
    }

    @Test(
        "a discarded message is removed, and the next one is sent when possible", arguments: Wedge.allCases)
    func wayOut(_ wedge: Wedge) {
        var chat = wedge.chat()
        chat.handle(.discard(MessageID("a-1")))
        #expect(chat.own("a-1") == nil)
        wedge.mend(&chat)
        if wedge == .tokenRefused { chat.authorize(Chat.user, WireCredentials(token: "t-2")) }
        chat.advance(milliseconds: 120_000)
        #expect(!chat.server.accepted.contains("a-1"))
        if wedge != .storeFull { #expect(chat.own("a-2") == .sent) }
        chat.restart()
        chat.authorize()
        #expect(chat.own("a-1") == nil, "not after a restart either")
    }

    @Test("with a full disk, no message is acknowledged, and the caller gets the reason", arguments: [1, 2, 5])
    func diskFull(_ failures: Int) {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.stores.of("ann").failuresToCome = failures
        for number in 0..<failures {
            let before = chat.effects.count
            chat.send("x", "a-\(number)")
            let answers = chat.effects[before...].compactMap { effect -> Result<MessageID, SendRefusal>? in
                if case .acknowledge(_, let result) = effect { result } else { nil }
            }
            #expect(answers.count == 1)
            #expect(answers.allSatisfy { $0 == .failure(.store(StoreFailure(.diskFull))) })
        }
        #expect(chat.acknowledged.isEmpty)
        #expect(chat.server.accepted.isEmpty)
        chat.send("x", "b-1")
        #expect(chat.acknowledged == ["b-1"])
        chat.advance(milliseconds: 5000)
        #expect(chat.server.accepted == ["b-1"])
    }

    @Test("every message is committed before it is acknowledged") func committedFirst() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        for effects in [chat.send("1", "a-1"), chat.send("2", "a-2")] {
            let commit = effects.firstIndex { if case .commit = $0 { true } else { false } }
            let acknowledge = effects.firstIndex { if case .acknowledge = $0 { true } else { false } }
            let frame = effects.firstIndex { if case .network(.transmit) = $0 { true } else { false } }
            #expect(commit != nil && acknowledge != nil && frame != nil)
            if let commit, let acknowledge, let frame { #expect(commit < acknowledge && acknowledge < frame) }
        }
    }

    /// Returns a chat whose message a-1 failed without an answer and whose history cannot be loaded.
    func withoutHistory() -> Chat {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.losesMessages = true
        chat.server.historyStatus = 500
        chat.send("1", "a-1")
        chat.advance(milliseconds: 20_000)
        chat.server.losesMessages = false
        return chat
    }

    @Test("while the history fails, a resent message blocks the others for at most sendTimeout")
    func resentWithoutHistory() {
        var chat = withoutHistory()
        #expect(chat.own("a-1") == .failed(.timedOut))
        chat.handle(.resend(MessageID("a-1")))
        chat.send("2", "a-2")
        #expect(chat.own("a-2") == .queued)
        chat.advance(milliseconds: 120_000)
        #expect(chat.own("a-1") == .failed(.timedOut))
        #expect(chat.own("a-2") == .sent)
        chat.server.historyStatus = nil
        chat.handle(.resend(MessageID("a-1")))
        chat.advance(milliseconds: 60_000)
        #expect(chat.own("a-1") == .sent)
    }

    @Test("without a socket, the resent message waits")
    func resentOffline() {
        var chat = withoutHistory()
        chat.server.silence = .upgrade
        chat.breakLink()
        chat.handle(.resend(MessageID("a-1")))
        chat.advance(milliseconds: 600_000)
        #expect(chat.own("a-1") == .sending)
        chat.server.silence = []
        chat.server.historyStatus = nil
        chat.handle(.reload)
        chat.advance(milliseconds: 120_000)
        #expect(chat.own("a-1") == .sent)
    }
}
