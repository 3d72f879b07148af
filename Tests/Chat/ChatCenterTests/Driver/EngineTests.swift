import ChatCenterCore
import ChatWire
import Dispatch
import Foundation
import GRDB
import Testing

@testable import ChatCenter

/// Which calls wait for the engine, and for how long.
@Suite(.timeLimit(.minutes(1))) struct EngineTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func queue(of chat: TestChat) throws -> DispatchQueue {
        try #require(chat.sdk.driver.engine.executor as? WatchedExecutors.Executor).base.queue
    }

    /// Returns the number of commits during `body`, as seen by another connection.
    private func commits(of chat: TestChat, during body: () throws -> Void) throws -> Int {
        let log = try #require(chat.sdk.driver.currentFolder).database.path + "-wal"
        let engine = chat.sdk.driver.engine
        // Each commit ends with a frame that contains the size of the database.
        func ends() throws -> Int {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: log)))
            let page = 4096 + 24
            return stride(from: 32, to: max(32, bytes.count - 24), by: page).count { offset in
                bytes[(offset + 4)..<(offset + 8)].contains { $0 != 0 }
            }
        }
        engine.wait(otherwise: ()) { engine in
            _ = try? engine.store(of: "client-1").opened().writeWithoutTransaction { db -> Void in
                try db.checkpoint(.truncate)
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            }
        }
        try body()
        return try ends()
    }

    @Test("reading state and posting events do not wait while the disk blocks the engine")
    func callersDoNotWaitForTheDisk() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        try screen.send("one")
        chat.settle()
        let queue = try queue(of: chat)
        queue.suspend()
        defer { queue.resume() }
        #expect(screen.state.messages.map(\.text) == ["one"])
        #expect(chat.sdk.connectionState.phase == .ready)
        #expect(chat.sdk.isAuthorized)
        #expect(screen.attachmentLimits.maximumBytes > 0)
        _ = chat.sdk.effectiveConfig
        screen.typed("tw")
        screen.loadOlder()
        screen.search("one")
        screen.quote(nil)
        chat.sdk.prefill(message: "later")
        chat.sdk.applicationWillEnterForeground()
        try chat.sdk.getUnreadMessagesCount { _ in }
    }

    @Test("send returns when the message is on disk, and its async variant blocks no thread")
    func sending() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let queue = try queue(of: chat)
        queue.suspend()
        // More tasks than there are threads.
        let count = 16
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count { group.addTask { try await screen.send("\(number)") } }
            // These tasks run although all of the others wait.
            for _ in 0..<count { group.addTask { await Task.yield() } }
            for _ in 0..<count { try await group.next() }
            queue.resume()
            try await group.waitForAll()
        }
        let folder = try #require(chat.sdk.driver.currentFolder)
        let kept = try SQLiteChatStore(folder: folder, errors: ErrorTable()).restore(window: 100).messages
        #expect(Set(kept.compactMap(\.content.text)) == Set((0..<count).map { "\($0)" }))
    }

    @Test("frames that arrive together are committed together, and each is reported")
    func groups() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let queue = try queue(of: chat)
        let commits = try commits(of: chat) {
            queue.suspend()
            for number in 0..<40 {
                chat.network.push(
                    Content(
                        .message, uuid: "m\(number)", operator: Operator(id: "1"), text: "\(number)",
                        receivedDate: 1_900_000_000_000 + Int64(number)))
            }
            queue.resume()
            chat.settle()
        }
        #expect(screen.state.messages.map(\.text) == (0..<40).map { "\($0)" })
        // The chat's responses to them are committed as well.
        #expect((1...4).contains(commits), "\(commits)")
        let folder = try #require(chat.sdk.driver.currentFolder)
        let kept = try SQLiteChatStore(folder: folder, errors: ErrorTable()).restore(window: 100).messages
        #expect(kept.count == 40)
    }

    @Test("a page of the history is committed in one transaction")
    func history() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let count = 200
        let commits = try commits(of: chat) {
            chat.network.script.history = (0..<count).map { number in
                Content(
                    .message, uuid: "m\(number)", operator: Operator(id: "1"), text: "\(number)",
                    receivedDate: 1_900_000_000_000 + Int64(number))
            }
            screen.reload()
            chat.settle()
        }
        #expect(screen.state.messages.map(\.text) == (0..<count).map { "\($0)" })
        // The chat's changes for them are committed as well.
        #expect((1...6).contains(commits), "\(commits)")
    }

    @Test("if a group cannot be committed, its frames are handled separately")
    func brokenGroup() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let queue = try queue(of: chat)
        // The database cannot grow by another page.
        let isFull = chat.sdk.driver.engine.wait(otherwise: false) { engine in
            (try? engine.store(of: "client-1").opened().writeWithoutTransaction { db -> Void in
                let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                try db.execute(sql: "PRAGMA max_page_count = \(count + 2)")
            }) != nil
        }
        try #require(isFull)
        queue.suspend()
        for number in 0..<40 {
            chat.network.push(
                Content(
                    .message, uuid: "m\(number)", operator: Operator(id: "1"),
                    text: String(repeating: "x", count: 2_000),
                    receivedDate: 1_900_000_000_000 + Int64(number)))
        }
        queue.resume()
        chat.settle()
        // Messages that are shown without being stored arrive again with the history: none is lost or shown twice.
        let names = screen.state.messages.map(\.id)
        #expect(Set(names).count == names.count)
        #expect(names.count == 40)
        let folder = try #require(chat.sdk.driver.currentFolder)
        let kept = try SQLiteChatStore(folder: folder, errors: ErrorTable()).restore(window: 100).messages
        #expect(!kept.isEmpty && kept.count < 40, "\(kept.count)")
    }

    @Test("reading a page and searching do not delay sending a message")
    func readersApart() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        try screen.send("one")
        chat.settle()
        let readers = try #require(chat.sdk.driver.engine.readers as? WatchedExecutors.Executor).base.queue
        readers.suspend()
        screen.search("one")
        screen.loadOlder()
        try screen.send("two")
        readers.resume()
        chat.settle()
        #expect(screen.state.messages.map(\.text) == ["one", "two"])
    }
}
