import ChatCenterCore
import ChatWire
import Foundation
import Synchronization
import Testing

@testable import ChatCenter

/// Unusual orders of events: floods, late results of the store, a logout during a read.
@Suite(.timeLimit(.minutes(1))) struct EngineOrderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func executor(_ executor: any ChatExecutor) throws -> QueueExecutor {
        try #require(executor as? WatchedExecutors.Executor).base
    }

    /// Posts work that posts the next work before it ends, until the flag is set.
    private static func flood(_ engine: isolated ChatEngine, until isOver: Flag) {
        guard !isOver.isSet else { return }
        engine.post { flood($0, until: isOver) }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    @Test("send and logout wait for earlier jobs, but not for later ones")
    func flood() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        let isOver = Flag()
        chat.sdk.driver.engine.post { Self.flood($0, until: isOver) }
        try screen.send("one")
        chat.sdk.logout { _ in }
        isOver.set()
        chat.settle()
        #expect(!chat.sdk.isAuthorized)
    }

    @Test("a reader of the socket waits until its frames are handled")
    func backPressure() async throws {
        let chat = TestChat(in: folder)
        _ = try chat.open()
        let queue = try executor(chat.sdk.driver.engine.executor).queue
        let order = Noted<String>()
        queue.suspend()
        chat.sdk.driver.engine.post { _ in order.append("frame") }
        let reader = Task {
            await chat.sdk.driver.engine.result { _ in }
            order.append("reader")
        }
        queue.resume()
        await reader.value
        #expect(order.values == ["frame", "reader"])
    }

    @Test("a page that was read before a deletion does not restore the deleted message")
    func stalePage() throws {
        let root = folder.url.appendingPathComponent("Chat")
        let place = UserFolder(root: root, providerUID: "provider", appMarker: "tests", clientID: "client-1")
        let count = PersistedChat.restoredMessages + 5
        let changes = (0..<count).map { number in
            StoreChange.saveMessage(Sample.received("m\(number)", at: Int64(number + 1), text: "text \(number)"))
        }
        try SQLiteChatStore(folder: place, errors: ErrorTable())
            .commit(StoreTransaction(user: "client-1", changes: changes + [.cursor("m\(count - 1)")]))
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        chat.settle()
        try #require(screen.state.messages.count == PersistedChat.restoredMessages)
        let engine = chat.sdk.driver.engine
        let (readers, turns) = (try executor(engine.readers), try executor(engine.executor))
        readers.queue.suspend()
        screen.loadOlder()
        engine.wait(otherwise: ()) { _ in }
        // The deletion waits while the page is read, and is handled before the page arrives.
        turns.queue.suspend()
        chat.network.push(Content(.messageDeleted, uuid: "m3"))
        readers.queue.resume()
        readers.wait {}
        turns.queue.resume()
        chat.settle()
        let shown = try #require(screen.state.messages.first { $0.id == MessageID("m3") })
        #expect(shown.kind == .deleted)
        #expect(screen.state.messages.count == count)
        let kept = try SQLiteChatStore(folder: place, errors: ErrorTable()).restore(window: count).messages
        #expect(kept.first { $0.id == MessageID("m3") }?.content.modified == .deleted)
    }

    @Test("an erasure stops reading and discards the search index in memory", arguments: [false, true])
    func erasureEndsReading(isSealed: Bool) throws {
        let place = StoreUnderTest.userFolder(in: folder, key: isSealed ? .random() : nil)
        let store = SQLiteChatStore(folder: place, errors: ErrorTable())
        try store.commit(
            StoreTransaction(user: "client-1", changes: [.saveMessage(Sample.received("m", at: 1, text: "Hello"))]))
        let query = SearchQuery(text: "hel", limit: 5)
        #expect(try store.search(query).count == 1)
        let reader = try store.reader()
        let farewell = Farewell(clientID: "client-1", deviceAddress: "d")
        try store.commit(StoreTransaction(user: "client-1", changes: [.erase, .farewell(farewell)]))
        #expect(throws: StoreFailure.self) { try reader.search(query) }
        #expect(try store.search(query).isEmpty)
    }

    @Test("an SDK that was shut down does not open a store again")
    func shutDown() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        try screen.send("one")
        chat.settle()
        let place = try #require(chat.sdk.driver.currentFolder)
        let turns = try executor(chat.sdk.driver.engine.executor)
        turns.queue.suspend()
        screen.search("one")
        screen.loadOlder()
        screen.typed("two")
        chat.sdk.driver.shutDown()
        try place.erase()
        turns.queue.resume()
        chat.settle()
        #expect(!FileManager.default.fileExists(atPath: place.url.path))
    }

    @Test("log lines of a logged-out user are deleted when the SDK ends")
    func goodbyeAtTheEnd() throws {
        let chat = TestChat(in: folder, logLevel: .all, logsSecrets: true)
        _ = try chat.open()
        chat.settle()
        let effects = try executor(chat.sdk.hub.executor)
        effects.queue.suspend()
        chat.sdk.deauthorizeUser()
        chat.sdk.log.write(.info, "a late line")
        chat.sdk.driver.shutDown()
        effects.queue.resume()
        chat.settle()
        #expect(try folder.contents().filter { $0.path.contains("Logs/") }.isEmpty)
    }

    @Test("steps run in order, one publication covers many changes, and the goodbye is last")
    func effects() {
        let executor = QueueExecutor("effects")
        let queue = EffectQueue(executor: executor)
        let done = Noted<String>()
        queue.attach { step in
            switch step {
            case .effect: done.append("effect")
            case .publish: done.append("publish")
            case .goodbye: done.append("goodbye")
            }
        }
        let effect = EffectQueue.Step.effect(.log(ChatLogRecord(.info, "x")))
        executor.queue.suspend()
        queue.add([effect, .publish], goodbye: [])
        queue.add([.publish, .publish, effect, .publish])
        executor.queue.resume()
        while done.values.last != "goodbye" { executor.wait {} }
        #expect(done.values == ["effect", "publish", "effect", "publish", "goodbye"])
        executor.queue.suspend()
        queue.add([effect], goodbye: [])
        #expect(queue.close())
        #expect(!queue.close())
        queue.add([effect])
        executor.queue.resume()
        executor.wait {}
        #expect(done.values.count == 5)
    }
}
