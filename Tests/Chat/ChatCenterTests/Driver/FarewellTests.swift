import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// A logout that the server could not be told of, over a restart.
@Suite struct FarewellTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func leaveOffline(_ identifier: String, key: ChatStorageKey? = nil) throws {
        let chat = TestChat(in: folder, configure: { $0.storageKey = key })
        _ = try chat.open(ChatUser(identifier: identifier))
        chat.network.script.socket = .failure(TransportFailure(.unreachable))
        chat.network.breakSocket()
        chat.settle()
        chat.sdk.logout { _ in }
        chat.settle()
        #expect(try folder.contents().contains { $0.path.hasSuffix("chat.sqlite") })
    }

    private func farewells(_ chat: TestChat) -> [String?] {
        chat.network.commands.compactMap { command in
            guard case .call(_, let call) = command, case .deleteDevice = call.request else { return nil }
            return call.clientID
        }
    }

    @Test("the next process tells the server, and leaves nothing", arguments: [false, true])
    func nextProcess(isSealed: Bool) throws {
        let key: ChatStorageKey? = isSealed ? .random() : nil
        try leaveOffline("gone", key: key)
        let chat = TestChat(in: folder, configure: { $0.storageKey = key })
        chat.sdk.authorize(user: ChatUser(identifier: "next"))
        chat.settle()
        #expect(farewells(chat) == ["gone"])
        chat.sdk.deauthorizeUser()
        chat.settle()
        #expect(try folder.contents().filter { $0.path.contains("chat.sqlite") }.map(\.path) == [])
    }

    @Test("who is back has nothing to be told of")
    func back() throws {
        try leaveOffline("gone")
        let chat = TestChat(in: folder)
        _ = try chat.open(ChatUser(identifier: "gone"))
        chat.settle()
        #expect(farewells(chat) == [])
        // Nor does the process after it.
        let later = TestChat(in: folder)
        later.sdk.authorize(user: ChatUser(identifier: "next"))
        later.settle()
        #expect(farewells(later) == [])
    }

    @Test("folders of others, files and damage are left alone")
    func others() throws {
        try leaveOffline("gone")
        let root = folder.url.appendingPathComponent("Chat")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: root.path).first { UserFolder.isName($0) })
        // Another provider's user in the same root.
        try FileManager.default.moveItem(
            at: root.appendingPathComponent(name),
            to: root.appendingPathComponent(String(repeating: "a", count: 32)))
        let damaged = root.appendingPathComponent(String(repeating: "b", count: 32))
        try FileManager.default.createDirectory(at: damaged, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: damaged.appendingPathComponent("chat.sqlite"))
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent(String(repeating: "c", count: 32)), withIntermediateDirectories: true)
        let chat = TestChat(in: folder)
        chat.sdk.authorize(user: ChatUser(identifier: "next"))
        chat.settle()
        #expect(farewells(chat) == [])
        #expect(FileManager.default.fileExists(atPath: damaged.path))
    }

    @Test("a key seals no store of another chat in the same root, and a farewell in the clear is told all the same")
    func othersAreNotSealed() throws {
        let root = folder.url.appendingPathComponent("Chat")
        func other() -> SQLiteChatStore {
            SQLiteChatStore(
                folder: UserFolder(root: root, providerUID: "another", appMarker: nil, clientID: "other"),
                errors: ErrorTable())
        }
        try other().commit(StoreTransaction(user: "other", changes: [.saveMessage(Sample.received("a", at: 1))]))
        try leaveOffline("gone")
        let chat = TestChat(in: folder, configure: { $0.storageKey = .random() })
        chat.sdk.authorize(user: ChatUser(identifier: "next"))
        chat.settle()
        #expect(try other().restore(window: 1).messages.count == 1)
        #expect(farewells(chat) == ["gone"])
        // Back with the key, the user is kept under it.
        _ = try chat.open(ChatUser(identifier: "gone")).send("Geheimnis")
        chat.settle()
        #expect(try !folder.contents().contains { $0.bytes.range(of: Data("Geheimnis".utf8)) != nil })
    }

    @Test("users who did not leave do not hide one who did")
    func behindMany() throws {
        try leaveOffline("gone")
        let root = folder.url.appendingPathComponent("Chat")
        for number in 0..<20 {
            let user = UserFolder(
                root: root, providerUID: "provider", appMarker: "tests", clientID: "user \(number)")
            try SQLiteChatStore(folder: user, errors: ErrorTable()).commit(
                StoreTransaction(user: "user \(number)", changes: [.cursor("x")]))
        }
        let chat = TestChat(in: folder)
        chat.sdk.authorize(user: ChatUser(identifier: "next"))
        chat.settle()
        #expect(farewells(chat) == ["gone"])
    }
}
