import ChatCenterCore
import ChatWire
import Foundation
import GRDB
import Testing

@testable import ChatCenter

/// Behavior and failures that only a store on disk has.
@Suite struct SQLiteChatStoreTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ clientID: String = "client") -> SQLiteChatStore {
        SQLiteChatStore(folder: StoreUnderTest.userFolder(in: folder, clientID: clientID), errors: ErrorTable())
    }

    @Test("creating a store does not access the disk")
    func lazy() throws {
        _ = store()
        #expect(try folder.contents().isEmpty)
    }

    @Test("the next process sees committed data, even if the last one closed nothing")
    func survives() throws {
        let first = store()
        let messages = Sample.everyState
        try first.commit(StoreTransaction(user: "client", changes: messages.map { .saveMessage($0) }))
        let second = store()
        #expect(try second.restore(window: 100).messages.count == messages.count)
        withExtendedLifetime(first) {}
    }

    @Test("a commit is on disk when it returns (synchronous = FULL)")
    func synchronous() throws {
        let level = try store().opened().read { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") }
        #expect(level == 2)
    }

    @Test("only the owner can access the folder and the files")
    func permissions() throws {
        let store = store()
        try store.commit(StoreTransaction(user: "client", changes: [.cursor("x")]))
        let manager = FileManager.default
        func mode(_ url: URL) throws -> Int? {
            try manager.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        }
        #expect(try mode(store.folder.url) == 0o700)
        #expect(try mode(store.folder.database) == 0o600)
        for suffix in ["-wal", "-shm"] {
            #expect(try mode(URL(fileURLWithPath: store.folder.database.path + suffix)) == 0o600)
        }
    }

    @Test("each user has a separate folder, whose name does not reveal the user")
    func folders() {
        let names = ["client", "Client", "client ", "clien", "t"].map {
            StoreUnderTest.userFolder(in: folder, clientID: $0).url.lastPathComponent
        }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.lowercased().contains("client") })
        // The parts are separated: different triples do not collide.
        let one = UserFolder(root: folder.url, providerUID: "ab", appMarker: "c", clientID: "d")
        let two = UserFolder(root: folder.url, providerUID: "a", appMarker: "bc", clientID: "d")
        #expect(one.url != two.url)
    }

    @Test("a transaction is applied completely or not at all")
    func atomic() throws {
        let store = store()
        try store.commit(StoreTransaction(user: "client", changes: [.cursor("before")]))
        // A second connection makes the last change of the transaction fail.
        let other = try DatabaseQueue(path: store.folder.database.path)
        try other.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON message BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        let failure = #expect(throws: StoreFailure.self) {
            try store.commit(
                StoreTransaction(
                    user: "client", changes: [.cursor("after"), .saveMessage(Sample.received("a", at: 1))]))
        }
        #expect(failure?.kind == .other)
        #expect(failure?.errorID != 0)
        #expect(try store.restore(window: 1).cursor == "before")
    }

    @Test("a full disk is reported as such")
    func diskFull() throws {
        let store = store()
        try store.commit(StoreTransaction(user: "client", changes: [.cursor("x")]))
        try store.opened().writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 12") }
        let large = String(repeating: "x", count: 200_000)
        let failure = #expect(throws: StoreFailure.self) {
            try store.commit(
                StoreTransaction(user: "client", changes: [.saveMessage(Sample.received("a", at: 1, text: large))]))
        }
        #expect(failure?.kind == .diskFull)
        #expect(try store.restore(window: 1).cursor == "x")
        try store.commit(StoreTransaction(user: "client", changes: [.cursor("y")]))
    }

    @Test("garbage in place of the database is reported as damage", arguments: [16, 4096, 100_000])
    func garbage(size: Int) throws {
        let store = store()
        try store.folder.prepare()
        try Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }).write(to: store.folder.database)
        let failure = #expect(throws: StoreFailure.self) { try store.restore(window: 1) }
        #expect(failure?.kind == .corrupt)
        // After an erasure the store can be used again.
        try store.erase()
        #expect(try store.restore(window: 1) == .empty)
    }

    @Test("a row with unexpected contents is reported as damage and does not trap")
    func damagedRow() throws {
        let store = store()
        try store.commit(StoreTransaction(user: "client", changes: [.saveMessage(Sample.received("a", at: 1))]))
        for value in ["{}", "x", "{", #"{"id":"a","time":1,"sequence":1,"content":{},"own":{"state":"flying"}}"#] {
            let other = try DatabaseQueue(path: store.folder.database.path)
            try other.write { db in
                try db.execute(sql: "UPDATE message SET record = ?", arguments: [Data(value.utf8)])
            }
            #expect(throws: StoreFailure.self) { try self.store().restore(window: 1) }
            try store.commit(StoreTransaction(user: "client", changes: [.saveMessage(Sample.received("a", at: 1))]))
        }
    }

    @Test(
        "a database by another program is reported as damage and does not trap",
        arguments: [
            "UPDATE message SET time = NULL", "UPDATE message SET time = 'noon'", "UPDATE message SET id = NULL",
            "UPDATE message SET record = NULL", "UPDATE message SET isQueued = 'maybe'",
            "UPDATE meta SET value = NULL", "UPDATE attachment SET record = NULL", "UPDATE attachment SET id = NULL",
            "ALTER TABLE message RENAME COLUMN record TO other",
        ])
    func foreignColumns(change: String) throws {
        let store = store()
        let file = LocalFile(path: store.folder.files.path + "/copy", name: "a", type: "text/plain", size: 1)
        try store.commit(
            StoreTransaction(
                user: "client",
                changes: [
                    .saveMessage(Sample.own("a", at: 1, .queued(Sample.entry(1), deadline: nil))), .cursor("x"),
                    .saveAttachment(AttachmentJob(id: TransferID("t"), message: MessageID("a"), file: file)),
                ]))
        let other = try DatabaseQueue(path: store.folder.database.path)
        // A schema without the constraints of this SDK's tables.
        try other.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE m AS SELECT * FROM message; DROP TABLE message; ALTER TABLE m RENAME TO message;
                    CREATE TABLE n AS SELECT * FROM meta; DROP TABLE meta; ALTER TABLE n RENAME TO meta;
                    CREATE TABLE o AS SELECT * FROM attachment; DROP TABLE attachment;
                    ALTER TABLE o RENAME TO attachment;
                    """)
            try db.execute(sql: change)
        }
        let failure = #expect(throws: StoreFailure.self) { try self.store().restore(window: 10) }
        #expect(failure?.kind == .corrupt)
    }

    @Test("a path outside the folder of copies is reported as damage", arguments: ["/etc/hosts", "../x"])
    func foreignPaths(path: String) throws {
        let store = store()
        let file = LocalFile(path: store.folder.files.path + "/copy", name: "a", type: "text/plain", size: 1)
        try store.commit(
            StoreTransaction(
                user: "client",
                changes: [.saveAttachment(AttachmentJob(id: TransferID("t"), message: MessageID("a"), file: file))]))
        let other = try DatabaseQueue(path: store.folder.database.path)
        try other.write { db in
            let record = try #require(try Data.fetchOne(db, sql: "SELECT record FROM attachment"))
            let text = String(decoding: record, as: UTF8.self).replacing(#""copy""#, with: "\"\(path)\"")
            #expect(text.contains(path))
            try db.execute(sql: "UPDATE attachment SET record = ?", arguments: [Data(text.utf8)])
        }
        let failure = #expect(throws: StoreFailure.self) { try self.store().restore(window: 10) }
        #expect(failure?.kind == .corrupt)
        #expect(throws: StoreFailure.self) {
            var job = AttachmentJob(id: TransferID("t"), message: MessageID("a"), file: file)
            job.file.path = store.folder.files.path + "/" + path
            try store.commit(StoreTransaction(user: "client", changes: [.saveAttachment(job)]))
        }
    }

    @Test("if the rows cannot be deleted, the folder is deleted and the data to keep is rewritten")
    func eraseFails() throws {
        let store = store()
        try store.commit(StoreTransaction(user: "client", changes: [.saveMessage(Sample.received("a", at: 1))]))
        let other = try DatabaseQueue(path: store.folder.database.path)
        try other.write { db in
            try db.execute(
                sql: "CREATE TRIGGER refuse BEFORE DELETE ON message BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        try other.close()
        let farewell = Farewell(clientID: "client", deviceAddress: "address")
        try store.commit(
            StoreTransaction(user: "client", changes: [.cursor("before"), .erase, .farewell(farewell)]))
        var expected = PersistedChat.empty
        expected.farewell = farewell
        #expect(try self.store().restore(window: 10) == expected)
        try other.close()
    }

    @Test("an erased store leaves no file")
    func erase() throws {
        let store = store()
        try store.commit(StoreTransaction(user: "client", changes: Sample.everyState.map { .saveMessage($0) }))
        try store.folder.prepare()
        try store.folder.prepareFiles()
        try Data([1]).write(to: store.folder.files.appendingPathComponent("copy"))
        #expect(try folder.contents().count >= 2)
        try store.commit(StoreTransaction(user: "client", changes: [.erase]))
        #expect(try folder.contents().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: store.folder.url.path))
    }

    @Test("with a pending logout, the files contain no other byte of the user")
    func eraseWithFarewell() throws {
        let secret = "Geheimnis-\(UUID().uuidString)"
        let store = store()
        let messages = (0..<200).map { Sample.received("m\($0)", at: Int64($0), text: "\(secret) \($0)") }
        try store.commit(StoreTransaction(user: "client", changes: messages.map { .saveMessage($0) }))
        try store.folder.prepare()
        try store.folder.prepareFiles()
        try Data(secret.utf8).write(to: store.folder.files.appendingPathComponent("copy"))
        func filesWithSecret() throws -> [String] {
            try folder.contents().filter { $0.bytes.range(of: Data(secret.utf8)) != nil }.map(\.path)
        }
        #expect(try !filesWithSecret().isEmpty, "the test must be able to see the secret")
        let farewell = Farewell(clientID: "client", deviceAddress: "address")
        try store.commit(StoreTransaction(user: "client", changes: [.erase, .farewell(farewell)]))
        #expect(try filesWithSecret() == [])
        #expect(try self.store().restore(window: 10).farewell == farewell)
    }

    @Test("the copy of a file is found after the app's folder was moved")
    func movedFolder() throws {
        let store = store()
        let path = store.folder.files.appendingPathComponent("copy").path
        let job = AttachmentJob(
            id: TransferID("t"), message: MessageID("m"),
            file: LocalFile(path: path, name: "a.png", type: "image/png", size: 1))
        try store.commit(StoreTransaction(user: "client", changes: [.saveAttachment(job)]))
        let moved = try TemporaryFolder()
        let target = StoreUnderTest.userFolder(in: moved)
        try FileManager.default.copyItem(at: store.folder.url, to: target.url)
        let restored = try SQLiteChatStore(folder: target, errors: ErrorTable()).restore(window: 1)
        #expect(restored.attachments.map(\.file.path) == [target.files.appendingPathComponent("copy").path])
    }
}
