import ChatCenterCore
import ChatWire
import Foundation
import Synchronization
import Testing

@testable import ChatCenter

/// The SDK from its initializer to its deallocation, with a scripted server and a manual clock.
@Suite struct ConversationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Reads the states of a message up to the given one.
    private func states(_ receipt: ChatReceipt, until last: ChatMessageState) async -> [ChatMessageState] {
        var states: [ChatMessageState] = []
        for await state in receipt.fate {
            states.append(state)
            if state == last { break }
        }
        return states
    }

    @Test("a repeated message does not count as new, regardless of its age", arguments: [false, true])
    func comesAgain(isSealed: Bool) throws {
        let key: ChatStorageKey? = isSealed ? .random() : nil
        let user = UserFolder(
            root: folder.url.appendingPathComponent("Chat"), providerUID: "provider", appMarker: "tests",
            clientID: "client-1", key: key)
        let messages = (0..<150).map { number in
            var message = Sample.received("m\(number)", at: Int64(number))
            message.state = .received(.read)
            return message
        }
        do {
            let store = SQLiteChatStore(folder: user, errors: ErrorTable())
            try store.commit(
                StoreTransaction(
                    user: "client-1", changes: messages.map { .saveMessage($0) } + [.cursor("m149")]))
        }
        let chat = TestChat(
            in: folder,
            configure: { config in
                config.storageKey = key
                config.serverDriven.keepSocketActive = true
            })
        let screen = try chat.open()
        screen.viewDidDisappear()
        chat.settle()
        #expect(screen.state.messages.count == 100)
        let before = chat.delegate.unread
        var again = messages[3].content
        again.text = "the same again"
        chat.network.push(again)
        chat.settle()
        #expect(chat.delegate.unread == before)
        #expect(screen.state.messages.count == 100, "an old repeated message is not shown next to a gap")
        let kept = try SQLiteChatStore(folder: user, errors: ErrorTable()).messages(named: ["m3"])
        #expect(kept.map(\.state) == [.received(.read)])
        #expect(kept.first?.content.text == "the same again", "the server's new version is stored")
        // A message that is really new counts as new, even if it is as old.
        chat.network.push(
            Content(.message, uuid: "late", operator: Operator(id: "1"), text: "late", receivedDate: 3))
        chat.settle()
        #expect(chat.delegate.unread.last == 1)
    }

    @Test("a file that is too large is refused before it is copied")
    func largeFile() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let file = folder.url.appendingPathComponent("film.png")
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        let handle = try FileHandle(forWritingTo: file)
        // A sparse file, larger than the server's limit of one megabyte.
        try handle.truncate(atOffset: 3_000_000)
        try handle.close()
        let error = #expect(throws: ChatSendError.self) { try screen.attach(file) }
        #expect(error?.code == .messageImageTooLarge)
        #expect(error?.limit == 1_048_576)
        #expect(!FileManager.default.fileExists(atPath: try #require(chat.sdk.driver.currentFolder).files.path))
    }

    @Test("the attachment limits are known in advance, and other files are refused with the same reason")
    func attachmentLimits() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let limits = screen.attachmentLimits
        #expect(limits.maximumBytes == 1_048_576)
        #expect(limits.fileExtensions == ["png", "txt"])
        #expect(limits.refusal(ofFileNamed: "Picture.PNG", size: 1_048_576) == nil)
        #expect(limits.refusal(ofFileNamed: "a.txt") == nil)
        #expect(limits.refusal(ofFileNamed: "a.png", size: 1_048_577) == .tooLarge(maximumBytes: 1_048_576))
        for (name, type) in [("virus.exe", "exe"), ("README", ""), (".png", "")] {
            let refusal = ChatAttachmentLimits.Refusal.typeNotAllowed(fileExtension: type, allowed: ["png", "txt"])
            #expect(limits.refusal(ofFileNamed: name, size: 1) == refusal)
            let file = try folder.write(name, [1])
            let error = #expect(throws: ChatSendError.self) { try screen.attach(file) }
            #expect(error?.code == .messageNotSent)
            #expect(error?.attachmentRefusal == refusal)
        }
        let large = try folder.write("large.png", [UInt8](repeating: 0, count: 1_048_577))
        let error = #expect(throws: ChatSendError.self) { try screen.attach(large) }
        #expect(error?.code == .messageImageTooLarge)
        #expect(error?.attachmentRefusal == .tooLarge(maximumBytes: 1_048_576))
        #expect(!FileManager.default.fileExists(atPath: try #require(chat.sdk.driver.currentFolder).files.path))
    }

    @Test("the server's reason for refusing a file has a type")
    func refusedAttachment() {
        func failure(_ code: String?) -> SendFailure {
            .upload(TransportFailure(.refused, status: 413, refusal: code.map { ServerRefusal(code: $0) }))
        }
        #expect(failure("file.restricted.size").attachmentRefusal == .size)
        #expect(failure("file.restricted.type").attachmentRefusal == .type)
        #expect(failure("file.not-found").attachmentRefusal == nil)
        #expect(failure(nil).attachmentRefusal == nil)
        #expect(SendFailure.timedOut.attachmentRefusal == nil)
    }

    @Test("the initializer does not access the disk and opens no connection")
    func initialiser() throws {
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
        let chat = TestChat(in: folder, logLevel: .all)
        chat.settle()
        #expect(try names().isEmpty, "no empty folder is created")
        #expect(!chat.hasNetwork)
        #expect(!chat.pathMonitor.isWatched)
        #expect(chat.sdk.driver.engine.wait(otherwise: false) { $0.state.core == nil && $0.stores.isEmpty })
        #expect(chat.sdk.connectionState.phase == .idle)
        #expect(chat.sdk.connectionState.security == .systemTrust)
        #expect(chat.sdk.effectiveConfig.values.historyLoadingCount == EffectiveSetting(30, .standard))
        #expect(!chat.sdk.isAuthorized)
        // Reading known values does not access the disk either. Authorizing does, so the test can detect it.
        #expect(try names().isEmpty)
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        chat.settle()
        #expect(try !names().isEmpty)
        #expect(chat.hasNetwork && !chat.network.commands.isEmpty)
        #expect(chat.pathMonitor.isWatched)
    }

    @Test("authorize, open, send, receive, close")
    func conversation() async throws {
        let chat = TestChat(in: folder)
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        chat.settle()
        #expect(chat.network.live == nil, "seed 2.10: the socket opens with the screen, not with authorize")
        let screen = try chat.sdk.getChat()
        chat.settle()
        #expect(chat.network.live == nil)
        screen.viewDidAppear()
        chat.settle()
        #expect(screen.state.connection == .ready)
        #expect(chat.sdk.connectionState.phase == .ready)

        let receipt = try await screen.send("Hello")
        chat.settle()
        #expect(await states(receipt, until: .sent) == [.queued, .sending, .sent])
        #expect(screen.state.messages.map(\.text) == ["Hello"])
        #expect(screen.state.messages.first?.author == .me(.sent))

        chat.network.push(
            Content(
                .message, uuid: "answer", operator: Operator(id: "1", name: "Vera", role: .operator),
                text: "Hello yourself", receivedDate: 1_900_000_001_000))
        chat.settle()
        #expect(screen.state.messages.map(\.text) == ["Hello", "Hello yourself"])

        screen.viewDidDisappear()
        chat.settle()
        #expect(chat.network.live == nil)
        #expect(chat.sdk.connectionState.phase == .closed(.chatClosed))
    }

    @Test("a message is stored on disk when send returns, and a new process sends it")
    func restart() async throws {
        let user = ChatUser(identifier: "client-1")
        let id: MessageID
        do {
            var script = ScriptedNetwork.Script()
            script.socket = nil
            let chat = TestChat(in: folder, script: script)
            let screen = try chat.open(user)
            id = try await screen.send("kept").id
            // The process ends without a logout and without closing the store.
        }
        let chat = TestChat(in: folder)
        let screen = try chat.open(user)
        #expect(screen.state.messages.map(\.id) == [id])
        #expect(screen.state.messages.first?.author == .me(.sent))
        #expect(chat.network.sentTexts == ["kept"])
    }

    @Test("the documented form of send maps every refusal")
    func refusals() throws {
        let chat = TestChat(in: folder)
        #expect(throws: ChatCenterUISendMessageError.userNotAuthorized) { try chat.sdk.send(message: .text("x")) }
        let screen = try chat.open()
        #expect(throws: ChatCenterUISendMessageError.messageIsEmpty) { try chat.sdk.send(message: .text("")) }
        #expect(throws: ChatCenterUISendMessageError.messageIsEmpty) { try chat.sdk.send(message: .text(" \n")) }
        let long = String(repeating: "é", count: 4001)
        #expect(throws: ChatCenterUISendMessageError.messageTooLong) { try chat.sdk.send(message: .text(long)) }
        try chat.sdk.send(message: .text(String(long.dropLast())))
        #if !canImport(UIKit)
        let large = ChatImage(data: Data(count: 1_048_577), mimeType: "image/png")
        #expect(throws: ChatCenterUISendMessageError.messageImageTooLarge) {
            try chat.sdk.send(message: .image(large))
        }
        let wrong = #expect(throws: ChatSendError.self) {
            try chat.sdk.send(.image(ChatImage(data: Data([1]), mimeType: "image/gif")))
        }
        #expect(wrong?.code == .messageNotSent)
        #expect(wrong?.reason.contains("gif") == true)
        #endif
        chat.settle()
        #expect(screen.state.messages.count == 1)
        #expect(try copies().isEmpty, "no copy of a refused file is left")
    }

    private func copies() throws -> [String] {
        try folder.contents().map(\.path).filter { $0.contains("/files/") }
    }

    @Test("without an outbox, send needs a socket, as documented")
    func noOutbox() throws {
        let chat = TestChat(in: folder, configure: { $0.outboxEnabled = false })
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        chat.settle()
        #expect(throws: ChatCenterUISendMessageError.webSocketNotActive) { try chat.sdk.send(message: .text("x")) }
        _ = try chat.open()
        try chat.sdk.send(message: .text("x"))
        chat.settle()
        #expect(chat.network.sentTexts == ["x"])
    }

    @Test("a place is sent as a geo URI, and the same place is not sent twice")
    func location() throws {
        let chat = TestChat(in: folder)
        _ = try chat.open()
        let first = try chat.sdk.send(.location(CGPoint(x: 59.93, y: 30.31)))
        let second = try chat.sdk.send(.location(CGPoint(x: 59.93, y: 30.31)))
        #expect(first.id == second.id)
        try chat.sdk.send(.location(CGPoint(x: 1, y: 2)))
        chat.settle()
        #expect(chat.network.sentTexts == ["geo:59.93,30.31", "geo:1.0,2.0"])
        for point in [CGPoint(x: 91, y: 0), CGPoint(x: 0, y: -181), CGPoint(x: Double.nan, y: 0)] {
            #expect(throws: ChatCenterUISendMessageError.messageNotSent) {
                try chat.sdk.send(message: .location(point))
            }
        }
    }

    @Test("a file is copied, uploaded and sent, and its copy is deleted")
    func attachment() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let source = try folder.write("note.txt", Array("contents".utf8))
        let progress = Noted<ChatTransferProgress>()
        let receipt = try await screen.attach(source, type: "text/plain", text: "see") { progress.append($0) }
        chat.settle()
        #expect(await states(receipt, until: .sent).last == .sent)
        #expect(progress.values == [ChatTransferProgress(completed: 8, total: 8)])
        let content = try #require(chat.network.sent.last)
        #expect(content.attachments.first?.result == "file-1")
        #expect(try copies().isEmpty)
        #expect(FileManager.default.fileExists(atPath: source.path))
        #expect(throws: ChatSendError.self) { try screen.attach(folder.url.appendingPathComponent("none.txt")) }
    }

    @Test("prefill fills the next screen once")
    func prefill() throws {
        let chat = TestChat(in: folder)
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        chat.sdk.prefill(message: "first")
        chat.sdk.prefill(message: "second")
        #expect(try chat.sdk.getChat().state.input.prefill == "second")
        #expect(try chat.sdk.getChat().state.input.prefill == nil)
        chat.sdk.prefill(message: "third")
        chat.sdk.prefill(message: "")
        #expect(try chat.sdk.getChat().state.input.prefill == nil)
    }

    @Test("an older screen keeps its last state, and its stream ends")
    func olderScreen() async throws {
        let chat = TestChat(in: folder)
        let old = try chat.open()
        try await old.send("one")
        chat.settle()
        let before = old.state
        var iterator = old.states.makeAsyncIterator()
        #expect(await iterator.next() == before)
        let new = try chat.sdk.getChat()
        #expect(await iterator.next() == nil)
        new.viewDidAppear()
        try await new.send("two")
        chat.settle()
        #expect(old.state.messages.count == 1)
        #expect(new.state.messages.count == 2)
    }

    @Test("the messages of each thread are sent in order")
    func threads() async throws {
        let chat = TestChat(in: folder)
        _ = try chat.open()
        let sdk = chat.sdk
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<10 { _ = try? sdk.send(.text("\(thread)-\(number)")) }
                }
            }
        }
        chat.settle()
        let texts = chat.network.sentTexts
        #expect(texts.count == 40)
        for thread in 0..<4 {
            #expect(texts.filter { $0.hasPrefix("\(thread)-") } == (0..<10).map { "\(thread)-\($0)" })
        }
    }
}
