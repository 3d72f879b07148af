import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// A logout that could not be reported to the server, across a restart.
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

    @Test("the next process reports the logout to the server, and leaves no data", arguments: [false, true])
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

    @Test("a user who returns has no pending logout")
    func back() throws {
        try leaveOffline("gone")
        let chat = TestChat(in: folder)
        _ = try chat.open(ChatUser(identifier: "gone"))
        chat.settle()
        #expect(farewells(chat) == [])
        // The process after it reports nothing either.
        let later = TestChat(in: folder)
        later.sdk.authorize(user: ChatUser(identifier: "next"))
        later.settle()
        #expect(farewells(later) == [])
    }

    @Test("other chats' folders, files and damaged stores are not touched")
    func others() throws {
        try leaveOffline("gone")
        let root = folder.url.appendingPathComponent("Chat")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: root.path).first { UserFolder.isName($0) })
        // A user of another provider in the same root.
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

    @Test("a key does not encrypt another chat's store, and an unencrypted pending logout is reported")
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
        // When the user returns, the data is stored with the key.
        _ = try chat.open(ChatUser(identifier: "gone")).send("Geheimnis")
        chat.settle()
        #expect(try !folder.contents().contains { $0.bytes.range(of: Data("Geheimnis".utf8)) != nil })
    }

    @Test("many users without a logout do not hide one with a pending logout")
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
