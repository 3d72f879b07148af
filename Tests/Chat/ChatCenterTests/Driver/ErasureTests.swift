import ChatCenterCore
import ChatWire
import Foundation
import GRDB
import Synchronization
import Testing

@testable import ChatCenter

/// No byte of a user is left after a logout: the test reads every file in the chat's folders.
@Suite struct ErasureTests {
    /// The values that contain data of the user, each with a unique text.
    enum Needle: String, CaseIterable {
        case identifier, name, data, token, signature, sent, queued, received, draft, file, content, server, device

        var text: String { "Nadel\(rawValue)0815" }
    }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func found() throws -> [String] {
        try folder.contents().flatMap { file in
            Needle.allCases.filter { needle in
                // The full-text index converts to lower case.
                [needle.text, needle.text.lowercased()].contains { file.bytes.range(of: Data($0.utf8)) != nil }
            }.map { "\($0.rawValue) in \(file.path)" }
        }
    }

    /// Uses every feature as a user, with the log at its most detailed level.
    private func use(
        _ folder: TemporaryFolder, key: ChatStorageKey? = nil, logsSecrets: Bool = false
    ) throws -> TestChat {
        var script = ScriptedNetwork.Script()
        script.registration = .registered(deviceAddress: Needle.device.text)
        script.upload = .failure(TransportFailure(.unreachable))
        script.history = [
            Content(
                .message, uuid: "h", operator: Operator(id: "1", name: Needle.server.text), text: Needle.received.text,
                receivedDate: 1)
        ]
        let chat = TestChat(
            in: folder, logLevel: .all, logsSecrets: logsSecrets, script: script, configure: { $0.storageKey = key })
        let user = ChatUser(
            identifier: Needle.identifier.text, name: Needle.name.text, data: ["key": Needle.data.text])
        let screen = try chat.open(
            user, auth: ChatAuth(token: "Bearer \(Needle.token.text)", signature: Needle.signature.text))
        // Logs the frame in the way of the network.
        chat.network.script.onTransmit = { [log = chat.sdk.log] frame in
            log.write(.webSocket, NetworkLog.sent(frame, frame.bytes, Generation(1), log))
        }
        screen.typed(Needle.draft.text)
        try screen.send(Needle.sent.text)
        let original = try TemporaryFolder()
        let file = try original.write(Needle.file.text, Array(Needle.content.text.utf8))
        try screen.attach(file, name: Needle.file.text + ".txt")
        chat.settle()
        chat.network.script.answerToMessage = { _ in nil }
        try screen.send(Needle.queued.text)
        chat.settle()
        // Earlier versions of rows are in the write-ahead log.
        for number in 0..<50 { try screen.send("\(Needle.queued.text) \(number)") }
        chat.settle()
        return chat
    }

    @Test("the needles are found where they are stored", arguments: [Needle.sent, .queued, .received, .file, .content])
    func canBeSeen(needle: Needle) throws {
        let chat = try use(folder)
        let all = try found()
        #expect(all.contains { $0.hasPrefix(needle.rawValue) }, "\(all)")
        withExtendedLifetime(chat) {}
    }

    @Test("the log contains no needle at its most detailed level")
    func log() throws {
        let chat = try use(folder)
        chat.settle()
        #expect(try found().filter { $0.contains("Logs/") } == [])
        #expect(chat.delegate.lines.count > 5)
        for needle in Needle.allCases {
            #expect(!chat.delegate.lines.contains { $0.contains(needle.text) }, "\(needle)")
        }
    }

    @Test("a message's text that the server repeats is never in the log")
    func repeated() throws {
        let chat = try use(folder)
        let screen = try chat.sdk.getChat()
        let words = "the text '\(Needle.sent.text)' is not allowed"
        for failure in [ErrorAnswer("NOT_ALLOWED", details: words), ErrorAnswer(words)] {
            chat.network.script.answerToMessage = { _ in .failure(action: "sendMessage", failure) }
            try screen.send("refused")
            chat.settle()
            chat.network.sink(
                .received(
                    try #require(chat.network.live), ServerFrame(.failure(action: words, failure))))
            chat.network.sink(
                .received(
                    try #require(chat.network.live), ServerFrame(.unknown(action: words, data: .null))))
            chat.network.breakSocket(
                TransportFailure(.refused, status: 500, refusal: ServerRefusal(code: words, details: words)))
            chat.settle()
            chat.advance(by: .seconds(60))
            _ = chat.sdk.log
        }
        let reporter = NetworkReporter(sink: { _ in }, errors: ErrorTable(), log: chat.sdk.log, now: { 0 })
        _ = reporter.failure(
            ChatServerError(status: 400, refusal: ServerRefusal(code: "BAD", details: words)), "a call")
        chat.settle()
        #expect(chat.delegate.lines.contains { $0.contains("NOT_ALLOWED") })
        #expect(chat.delegate.lines.contains { $0.contains("400: BAD") })
        #expect(!chat.delegate.lines.contains { $0.contains(Needle.sent.text) })
        #expect(try found().filter { $0.contains("Logs/") } == [])
    }

    @Test(
        "a log with secrets contains the needles, and no needle after the user has left",
        arguments: ["logout", "logout offline", "deauthorize", "hand-over"])
    func secretsInTheLog(way: String) throws {
        let chat = try use(folder, logsSecrets: true)
        #expect(try found().contains { $0.contains("Logs/") && $0.hasPrefix("sent") })
        #expect(try found().contains { $0.contains("Logs/") && $0.hasPrefix("identifier") })
        chat.network.script.answerToMessage = { _ in .receipt(SendReceipt(messageID: "x", sentAt: 1)) }
        switch way {
        case "logout": chat.sdk.logout { _ in }
        case "logout offline":
            chat.network.script.socket = .failure(TransportFailure(.unreachable))
            chat.network.breakSocket()
            chat.sdk.logout { _ in }
        case "deauthorize": chat.sdk.deauthorizeUser()
        default:
            // The next user's own address, which that user's log may contain.
            chat.network.script.registration = .registered(deviceAddress: "another")
            chat.sdk.authorize(user: ChatUser(identifier: "the next"))
        }
        chat.settle()
        #expect(try found().filter { $0.contains("Logs/") } == [])
    }

    @Test("with a key no file contains a needle")
    func sealed() throws {
        let chat = try use(folder, key: .random())
        #expect(try found() == [])
        withExtendedLifetime(chat) {}
    }

    @Test("deauthorizeUser leaves no needle")
    func deauthorize() throws {
        let chat = try use(folder)
        chat.sdk.deauthorizeUser()
        #expect(try found() == [])
        chat.settle()
        #expect(try found() == [], "no needle is written later")
    }

    @Test("a file that was copied for one user is not sent for the next, and is deleted")
    func filesOfThePast() throws {
        let chat = try use(folder)
        let source = ChatFileSource(
            bytes: .data(Data(Needle.content.text.utf8)), name: "a.txt", type: "text/plain")
        let copy = try chat.sdk.driver.keep(source)
        chat.sdk.authorize(user: ChatUser(identifier: "the next"))
        chat.settle()
        let error = #expect(throws: ChatSendError.self) {
            try chat.sdk.driver.send(OutgoingMessage(text: nil, files: [copy]))
        }
        #expect(error?.code == .userNotAuthorized)
        chat.settle()
        #expect(try !found().contains { $0.hasPrefix("content") || $0.hasPrefix("file ") })
        #expect(throws: ChatSendError.self) { try chat.sdk.driver.keep(source, of: Needle.identifier.text) }
        #expect(try !found().contains { $0.hasPrefix("content") })
    }

    @Test(
        "copies without a message are deleted at the next start, and unsent ones are kept", arguments: [false, true])
    func orphans(isYoung: Bool) throws {
        let chat = try use(folder)
        let files = try #require(chat.sdk.driver.currentFolder?.files)
        let waiting = try FileManager.default.contentsOfDirectory(atPath: files.path)
        #expect(waiting.count == 1)
        let names = ["orphan", ".orphan.download", String(repeating: "a", count: 32)]
        for name in names { try Data([1]).write(to: files.appendingPathComponent(name)) }
        chat.shutDown()
        let time = Date().timeIntervalSince1970 * 1000 + (isYoung ? 0 : 2 * 3_600_000)
        var script = ScriptedNetwork.Script()
        script.upload = nil
        let next = TestChat(in: folder, clock: ManualChatClock(wall: Int64(time)), script: script)
        next.sdk.authorize(user: ChatUser(identifier: Needle.identifier.text))
        next.settle()
        // A downloaded file belongs to the cache, which has a separate limit.
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: files.path))
        #expect(left == Set(waiting + (isYoung ? names : [names[2]])))
    }

    @Test(
        "an erasure that a crash interrupted is completed at the next start or the next erasure",
        arguments: [false, true])
    func cutOff(atStart: Bool) throws {
        let chat = try use(folder)
        let place = try #require(chat.sdk.driver.currentFolder)
        let gone = place.url.deletingLastPathComponent().appendingPathComponent(".gone-1")
        // A copy, because the authorized user's database is open.
        try FileManager.default.copyItem(at: place.url, to: gone)
        chat.sdk.deauthorizeUser()
        if atStart {
            try FileManager.default.createDirectory(at: gone, withIntermediateDirectories: true)
            try Data(Needle.content.text.utf8).write(to: gone.appendingPathComponent("copy"))
            let next = TestChat(in: folder)
            next.sdk.authorize(user: ChatUser(identifier: "the next"))
            next.settle()
        }
        #expect(try found() == [])
        #expect(!FileManager.default.fileExists(atPath: gone.path))
    }

    @Test("a pending download is cancelled when the user logs out")
    func downloadOfThePast() async throws {
        let chat = try use(folder)
        let screen = try chat.sdk.getChat()
        chat.network.script.upload = nil
        let answer = OneShot<RemoteFile>()
        let id = TransferID("down")
        chat.sdk.hub.watch(id, ChatHub.TransferWatch(completion: { answer.fulfil($0) }))
        chat.sdk.driver.handle(.download(id, reference: "file"))
        chat.settle()
        chat.sdk.deauthorizeUser()
        let error = await #expect(throws: ChatNetworkError.self) { try await answer.value }
        #expect(error?.failure?.kind == .cancelled)
        chat.settle()
        #expect(chat.network.commands.contains(.cancel(.transfer(id))))
        withExtendedLifetime(screen) {}
    }

    @Test("logout leaves no needle when the server was told")
    func logout() async throws {
        let chat = try use(folder)
        chat.network.script.answerToMessage = { _ in .receipt(SendReceipt(messageID: "x", sentAt: 1)) }
        #expect(try await chat.sdk.endSession() == .server)
        chat.settle()
        #expect(try found() == [])
    }

    @Test("logout without a server leaves only the identifier and the device", arguments: [false, true])
    func logoutOffline(isSealed: Bool) throws {
        let chat = try use(folder, key: isSealed ? .random() : nil)
        chat.network.script.socket = nil
        chat.network.breakSocket()
        chat.sdk.logout { _ in }
        chat.settle()
        let left = try found().map { $0.split(separator: " ")[0] }
        #expect(Set(left).isSubset(of: isSealed ? [] : ["identifier", "device"]), "\(left)")
        #expect(try folder.contents().contains { $0.path.hasSuffix("chat.sqlite") }, "the pending logout is stored")
    }

    @Test("a full disk refuses a message, keeps stored data, and still allows a logout")
    func fullDisk() throws {
        let chat = try use(folder)
        let screen = try chat.sdk.getChat()
        let isFull = chat.sdk.driver.engine.wait(otherwise: false) { engine in
            let database = try? engine.store(of: Needle.identifier.text).opened()
            return
                (try? database?.writeWithoutTransaction { db -> Void in
                    let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                    try db.execute(sql: "PRAGMA max_page_count = \(count)")
                }) != nil
        }
        try #require(isFull)
        var refusal: ChatSendError?
        for _ in 0..<200 where refusal == nil {
            do throws(ChatSendError) {
                try screen.send(String(repeating: "x", count: 4000))
            } catch {
                refusal = error
            }
        }
        #expect(refusal?.code == .messageNotSent)
        #expect((refusal?.underlying as? DatabaseError)?.resultCode == .SQLITE_FULL)
        #expect(screen.state.messages.contains { $0.text == Needle.sent.text })
        chat.sdk.deauthorizeUser()
        #expect(try found() == [])
    }
}
