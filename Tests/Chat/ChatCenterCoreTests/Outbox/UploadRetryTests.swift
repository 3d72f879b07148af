import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests failed uploads: temporary failures are retried, permanent ones fail the message.
@Suite struct UploadRetryTests {
    func sending(_ settings: ChatSettings = ChatSettings(providerUID: "p"), retries: Int64? = nil) -> Chat {
        var chat = Chat(settings)
        chat.server.configuration.settings?.messageRetryCount = retries
        chat.authorize()
        chat.open()
        chat.server.silence = .upload
        let file = LocalFile(path: "/copies/f", name: "f.png", type: "image/png", size: 10)
        chat.send("look", "a-1", files: [.init(id: TransferID("f"), file: file)])
        chat.send("after", "a-2")
        return chat
    }

    func uploads(_ chat: Chat) -> Int {
        chat.networkCommands.count { if case .upload = $0 { true } else { false } }
    }

    func outcomes(_ chat: Chat) -> Int {
        chat.notices.count { if case .transferred = $0 { true } else { false } }
    }

    func fail(_ chat: inout Chat, _ failure: TransportFailure) {
        chat.handle(.network(.transferred(TransferID("f"), .failure(failure))))
    }

    static let passing: [TransportFailure] = [
        TransportFailure(.noConnectivity), TransportFailure(.unreachable), TransportFailure(.timedOut),
        TransportFailure(.tlsHandshake), TransportFailure(.malformedAnswer), TransportFailure(.other),
        TransportFailure(.refused, status: 503), TransportFailure(.refused, status: 429),
    ]
    static let lasting: [TransportFailure] = [
        TransportFailure(.trust), TransportFailure(.file), TransportFailure(.cancelled),
        TransportFailure(.refused, status: 413, refusal: ServerRefusal(code: "file.restricted.size")),
        TransportFailure(.refused, status: 403), TransportFailure(.refused, status: 404),
    ]

    @Test("a temporary failure keeps the message queued and is retried", arguments: passing)
    func transient(_ failure: TransportFailure) {
        var chat = sending()
        fail(&chat, failure)
        #expect(chat.own("a-1") == .queued)
        #expect(chat.notices.contains(.networkProblem(.call(.upload, failure))), "the failure is reported")
        #expect(outcomes(chat) == 0, "the message has no outcome yet")
        #expect(chat.server.accepted == ["a-2"], "the next message does not wait")
        chat.server.silence = []
        chat.advance(milliseconds: 2000)
        #expect(chat.server.accepted == ["a-2", "a-1"])
        #expect(outcomes(chat) == 1)
    }

    @Test("a permanent failure fails the message at once, and the next ones are sent", arguments: lasting)
    func permanent(_ failure: TransportFailure) {
        var chat = sending()
        fail(&chat, failure)
        #expect(chat.own("a-1") == .failed(.upload(failure)))
        #expect(chat.server.accepted == ["a-2"])
        #expect(uploads(chat) == 1)
    }

    @Test("messageRetryCount limits the attempts", arguments: [Int64(0), 1, 3])
    func theEnd(_ retries: Int64) {
        var chat = sending(retries: retries)
        for attempt in 0...retries {
            #expect(uploads(chat) == Int(attempt) + 1)
            fail(&chat, Self.passing[0])
            chat.advance(milliseconds: 20_000)
        }
        #expect(chat.own("a-1") == .failed(.upload(Self.passing[0])))
        #expect(chat.server.accepted == ["a-2"])
        chat.server.silence = []
        chat.handle(.resend(MessageID("a-1")))
        #expect(chat.own("a-1") == .sent)
    }

    @Test func theServersDelayIsHonoured() {
        var chat = sending()
        fail(&chat, TransportFailure(.refused, status: 503, retryAfterMilliseconds: 30_000))
        chat.advance(milliseconds: 29_999)
        #expect(uploads(chat) == 1)
        chat.advance(milliseconds: 1)
        #expect(uploads(chat) == 2)
    }

    @Test func aBetterNetworkEndsTheWait() {
        for event in [ChatEvent.network(.pathChanged(hasRoute: true)), .reload, .enteredForeground] {
            var chat = sending()
            fail(&chat, TransportFailure(.refused, status: 503, retryAfterMilliseconds: 100_000))
            if event == .enteredForeground { chat.handle(.enteredBackground) }
            #expect(uploads(chat) == 1)
            chat.handle(event)
            #expect(uploads(chat) == 2, "\(event)")
        }
    }

    @Test func theUserCanCancelDuringTheWait() {
        for abort in [ChatEvent.cancelTransfer(TransferID("f")), .discard(MessageID("a-1"))] {
            var chat = sending()
            fail(&chat, Self.passing[0])
            chat.handle(abort)
            #expect(chat.server.accepted == ["a-2"])
            chat.advance(milliseconds: 600_000)
            #expect(uploads(chat) == 1)
        }
    }

    @Test func theNextProcessDoesNotWait() {
        var chat = sending()
        fail(&chat, TransportFailure(.refused, status: 503, retryAfterMilliseconds: 500_000))
        chat.restart()
        chat.server.silence = []
        chat.authorize()
        chat.open()
        #expect(chat.server.accepted == ["a-2", "a-1"])
    }

    @Test("progress is reported but not stored; a checkpoint is stored")
    func progress() {
        var chat = sending()
        chat.forgetEffects()
        chat.handle(.network(.progress(TransferID("f"), 5, of: 10)))
        #expect(!chat.effects.contains { if case .commit = $0 { true } else { false } })
        #expect(chat.notices == [.transferProgress(TransferID("f"), 5, of: 10)])
        chat.handle(.network(.checkpoint(TransferID("f"), UploadCheckpoint("half"))))
        #expect(chat.stores.of("ann").contents.orderedAttachments.map(\.checkpoint) == [UploadCheckpoint("half")])
    }

    @Test func aTokenRefusedForAnUploadIsReplacedAndTheUploadRepeated() {
        var chat = sending(ChatSettings(providerUID: "p", hasTokenProvider: true))
        fail(&chat, TransportFailure(.refused, status: 401))
        #expect(chat.own("a-1") == .queued)
        let attempt = chat.effects.compactMap { if case .askForToken(let attempt) = $0 { attempt } else { nil } }.first
        chat.server.silence = []
        if let attempt { chat.handle(.token(attempt, WireCredentials(token: "t-2"))) }
        #expect(chat.server.accepted == ["a-2", "a-1"])
    }

    @Test("a refusal of the file store does not end the chat", arguments: [false, true])
    func fileStoreRefuses(_ hasProvider: Bool) {
        var chat = sending(ChatSettings(providerUID: "p", hasTokenProvider: hasProvider))
        let failure = TransportFailure(.refused, status: 401)
        fail(&chat, failure)
        if hasProvider {
            let attempts = chat.effects.compactMap { effect in
                if case .askForToken(let attempt) = effect { attempt } else { nil }
            }
            #expect(attempts.count == 1)
            // The provider has no other token.
            if let attempt = attempts.first { chat.handle(.token(attempt, Chat.token)) }
            #expect(uploads(chat) == 2)
            fail(&chat, failure)
        }
        #expect(chat.own("a-1") == .failed(.upload(failure)))
        #expect(chat.server.accepted == ["a-2"])
        #expect(!chat.notices.contains { if case .reauthorizationNeeded = $0 { true } else { false } })
        #expect(chat.screen.banners.isEmpty)
    }

    // MARK: The total

    func plans(_ chat: Chat) -> [Int64] {
        chat.networkCommands.compactMap { command in
            if case .upload(_, let plan) = command { plan.timeoutMilliseconds } else { nil }
        }
    }

    @Test("uploadTimeout is the total of all attempts", arguments: [Int64(20_000), 120_000])
    func theTotal(_ timeout: Int64) {
        var chat = sending(ChatSettings(providerUID: "p", uploadTimeout: timeout))
        chat.advance(milliseconds: timeout / 2)
        fail(&chat, TransportFailure(.unreachable))
        chat.advance(milliseconds: timeout / 2 - 1)
        #expect(chat.own("a-1") == .uploading)
        #expect(uploads(chat) == 2)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.upload(TransportFailure(.timedOut))))
        #expect(chat.networkCommands.contains(.cancel(.transfer(TransferID("f")))))
        #expect(outcomes(chat) == 1)
        #expect(plans(chat).first == timeout, "the transport gets the whole time")
        #expect((1...timeout / 2).contains(plans(chat).last ?? 0), "then the remaining time")
        chat.advance(milliseconds: 600_000)
        #expect(uploads(chat) == 2)
    }

    @Test("without a network, an upload fails at uploadTimeout with the last error")
    func theTotalWithoutANetwork() {
        var chat = sending(ChatSettings(providerUID: "p", uploadTimeout: 10_000))
        let failure = TransportFailure(.noConnectivity, retryAfterMilliseconds: 60_000)
        fail(&chat, failure)
        chat.advance(milliseconds: 9_999)
        #expect(chat.own("a-1") == .queued)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.upload(failure)))
        #expect(uploads(chat) == 1)
    }

    @Test("each file has its own total, from its first attempt")
    func eachFile() {
        var chat = Chat(ChatSettings(providerUID: "p", uploadTimeout: 10_000))
        chat.authorize()
        chat.open()
        chat.server.silence = .upload
        let files = ["f", "g"].map { name in
            OutgoingMessage.File(
                id: TransferID(name), file: LocalFile(path: name, name: "\(name).png", type: "image/png", size: 1))
        }
        chat.send("look", "a-1", files: files)
        chat.advance(milliseconds: 9_000)
        chat.handle(.network(.transferred(TransferID("f"), .success(RemoteFile(reference: "r")))))
        chat.advance(milliseconds: 9_999)
        #expect(chat.own("a-1") == .uploading)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.upload(TransportFailure(.timedOut))))
    }

    @Test("a failed message cancels its other uploads")
    func theOtherFiles() {
        var chat = Chat(ChatSettings(providerUID: "p", uploadTimeout: 10_000))
        chat.authorize()
        chat.open()
        chat.server.silence = .upload
        let files = ["f", "g"].map { name in
            OutgoingMessage.File(
                id: TransferID(name), file: LocalFile(path: name, name: "\(name).png", type: "image/png", size: 1))
        }
        chat.send("look", "a-1", files: files)
        chat.advance(milliseconds: 9_000)
        fail(&chat, TransportFailure(.unreachable, retryAfterMilliseconds: 60_000))
        chat.advance(milliseconds: 1_000)
        guard case .failed = chat.own("a-1") else {
            Issue.record("\(String(describing: chat.own("a-1")))")
            return
        }
        #expect(chat.networkCommands.contains(.cancel(.transfer(TransferID("g")))))
        #expect(chat.notices.contains(.transferred(TransferID("g"), .failure(TransportFailure(.cancelled)))))
        #expect(chat.core.nextWake.map { $0 > chat.now.monotonic } != false)
    }

    @Test("a new process or a resent message has the whole time again", arguments: [true, false])
    func aNewBudget(_ isRestart: Bool) {
        let settings = ChatSettings(providerUID: "p", uploadTimeout: 10_000)
        var chat = sending(settings)
        chat.handle(.network(.checkpoint(TransferID("f"), UploadCheckpoint("half"))))
        chat.advance(milliseconds: isRestart ? 9_000 : 10_000)
        if isRestart {
            chat.restart(settings)
            chat.server.silence = .upload
            chat.authorize()
        } else {
            chat.handle(.resend(MessageID("a-1")))
        }
        #expect(plans(chat).last == 10_000)
        chat.advance(milliseconds: 9_999)
        #expect(chat.own("a-1") == .uploading)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.upload(TransportFailure(.timedOut))))
    }

    @Test("no timer runs in the background; in the foreground an expired upload fails")
    func theTotalInTheBackground() {
        var chat = sending(ChatSettings(providerUID: "p", uploadTimeout: 10_000))
        chat.handle(.enteredBackground)
        #expect(chat.core.nextWake == nil)
        chat.advance(milliseconds: 60_000)
        #expect(chat.own("a-1") == .uploading)
        chat.handle(.enteredForeground)
        #expect(chat.own("a-1") == .failed(.upload(TransportFailure(.timedOut))))
    }

    @Test("the result of an abandoned attempt does not affect the next one")
    func aLateOutcome() {
        var chat = sending(ChatSettings(providerUID: "p", uploadTimeout: 10_000))
        fail(&chat, TransportFailure(.unreachable, retryAfterMilliseconds: 5_000))
        fail(&chat, TransportFailure(.trust))
        #expect(chat.own("a-1") == .queued)
        chat.server.silence = []
        chat.advance(milliseconds: 5_000)
        #expect(chat.own("a-1") == .sent)
    }
}
