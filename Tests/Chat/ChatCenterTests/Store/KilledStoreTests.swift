import ChatCenterCore
import Foundation
import Testing

@testable import ChatCenter

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Kills real processes with `kill -9`.
@Suite(.timeLimit(.minutes(2))) struct KilledStoreTests {
    @Test("a message for which send has returned survives the end of the process", arguments: [false, true])
    func send(isSealed: Bool) async throws {
        let folder = try TemporaryFolder()
        let bytes = [UInt8](repeating: 7, count: ChatStorageKey.byteCount)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.url.path as String, isSealed = isSealed as Bool] in
            let folder = TemporaryFolder(keeping: URL(fileURLWithPath: path))
            let key = isSealed ? try ChatStorageKey(bytes: [UInt8](repeating: 7, count: 32)) : nil
            let chat = TestChat(in: folder, configure: { $0.storageKey = key })
            let screen = try chat.open()
            chat.network.breakSocket()
            chat.settle()
            for number in 0..<20 { try screen.send("kept \(number)") }
            kill(getpid(), SIGKILL)
        }
        let key = isSealed ? try ChatStorageKey(bytes: bytes) : nil
        let chat = TestChat(in: folder, configure: { $0.storageKey = key })
        let screen = try chat.open()
        chat.settle()
        // Some messages were sent before the end. The rest is sent now, and none twice.
        let texts = (0..<20).map { "kept \($0)" }
        #expect(screen.state.messages.compactMap(\.text) == texts)
        #expect(chat.network.sentTexts == Array(texts.suffix(chat.network.sentTexts.count)))
    }

    @Test("a process that is killed during a commit leaves all of it or nothing")
    func commit() async throws {
        for delay in [0, 200, 1_000, 5_000, 20_000] {
            let folder = try TemporaryFolder()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.url.path as String, delay = delay as Int] in
                let folder = TemporaryFolder(keeping: URL(fileURLWithPath: path))
                let store = SQLiteChatStore(folder: StoreUnderTest.userFolder(in: folder), errors: ErrorTable())
                try store.commit(StoreTransaction(user: "client", changes: [.cursor("0")]))
                let killer = Thread {
                    usleep(UInt32(delay))  // reason: the kill may happen at any point
                    kill(getpid(), SIGKILL)
                }
                killer.start()
                for number in 1...1_000_000 {
                    let messages = (0..<10).map { Sample.received("\(number)-\($0)", at: Int64(number), text: "word") }
                    try store.commit(
                        StoreTransaction(
                            user: "client", changes: messages.map { .saveMessage($0) } + [.cursor("\(number)")]))
                }
            }
            let store = SQLiteChatStore(folder: StoreUnderTest.userFolder(in: folder), errors: ErrorTable())
            let chat = try store.restore(window: 1_000_000)
            let last = try #require(chat.cursor.flatMap(Int.init))
            #expect(chat.messages.count == last * 10)
            #expect(try store.search(SearchQuery(text: "word", limit: 1_000_000)).count == last * 10)
        }
    }
}
