import ChatCenterCore
import ChatWire
import Foundation
import GRDB
import Synchronization
import Testing

@testable import ChatCenter

/// Stored data is encrypted, and can be decrypted only with the right key at the right place.
@Suite struct EncryptionTests {
    let folder: TemporaryFolder
    let key = ChatStorageKey.random()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ key: ChatStorageKey?, clientID: String = "client") -> SQLiteChatStore {
        SQLiteChatStore(
            folder: StoreUnderTest.userFolder(in: folder, clientID: clientID, key: key), errors: ErrorTable())
    }

    /// Returns the store's failure and its underlying error.
    private func error(of store: SQLiteChatStore) -> (kind: StoreFailure.Kind, error: ChatStorageError?)? {
        do throws(StoreFailure) {
            _ = try store.restore(window: 10)
            return nil
        } catch {
            return (error.kind, store.errors.error(error.errorID) as? ChatStorageError)
        }
    }

    private func files(with needle: String) throws -> [String] {
        try folder.contents().filter { $0.bytes.range(of: Data(needle.utf8)) != nil }.map(\.path)
    }

    private func fill(_ store: SQLiteChatStore, needle: String) throws {
        let messages = (0..<100).map { Sample.received("\(needle)-id-\($0)", at: Int64($0), text: "\(needle) \($0)") }
        let job = AttachmentJob(
            id: TransferID("\(needle)-job"), message: MessageID("\(needle)-id-0"),
            file: LocalFile(path: store.folder.files.path + "/\(needle)", name: needle, type: "text/plain", size: 3))
        try store.commit(
            StoreTransaction(
                user: "client",
                changes: messages.map { .saveMessage($0) } + [
                    .saveAttachment(job), .deviceAddress("\(needle)-device"), .cursor("\(needle)-cursor"),
                    .draft("\(needle)-draft"),
                ]))
    }

    @Test("no file of an encrypted store contains message texts, including side files and the index")
    func noPlaintext() throws {
        let needle = "Geheimnis\(UInt64.random(in: 0...(.max)))"
        let clear = store(nil, clientID: "other")
        try fill(clear, needle: needle)
        #expect(try !files(with: needle).isEmpty, "the test must be able to see the needle")
        try clear.erase()

        let sealed = store(key)
        try fill(sealed, needle: needle)
        #expect(try sealed.search(SearchQuery(text: needle, limit: 200)).count == 100)
        #expect(try files(with: needle) == [])
        #expect(try files(with: needle.lowercased()) == [], "the index converts words to lower case")
        #expect(try folder.contents().contains { $0.path.hasSuffix("-wal") }, "the side file was checked too")
        // All data can be read back.
        let restored = try store(key).restore(window: 200)
        #expect(restored.messages.count == 100)
        #expect(restored.messages.first?.content.text == "\(needle) 0")
        #expect(restored.deviceAddress == "\(needle)-device")
        #expect(restored.draft == "\(needle)-draft")
        #expect(restored.attachments.first?.file.name == needle)
    }

    @Test("another key is reported as such, and no data is deleted")
    func wrongKey() throws {
        try fill(store(key), needle: "x")
        let failure = try #require(error(of: store(.random())))
        #expect(failure.kind == .locked)
        #expect(failure.error?.code == .wrongKey)
        #expect(try store(key).restore(window: 1).messages.count == 1)
    }

    @Test("an encrypted store without a key is reported as such")
    func missingKey() throws {
        try fill(store(key), needle: "x")
        let failure = try #require(error(of: store(nil)))
        #expect(failure.kind == .locked)
        #expect(failure.error?.code == .keyMissing)
    }

    @Test(
        "a row that was changed, moved or exchanged cannot be decrypted",
        arguments: [
            // A changed byte of the record, its version or its length.
            "UPDATE message SET record = CAST(substr(record, 1, 30) || x'00' || substr(record, 32) AS BLOB)",
            "UPDATE message SET record = CAST(x'02' || substr(record, 2) AS BLOB)",
            "UPDATE message SET record = x''",
            "UPDATE message SET record = substr(record, 1, 20)",
            // The columns of the row.
            "UPDATE message SET time = time + 1", "UPDATE message SET sequence = 9",
            "UPDATE message SET isQueued = 1 - isQueued", "UPDATE message SET serverID = NULL",
            "UPDATE message SET id = lower(hex(randomblob(16)))",
            // Another row's record.
            """
            UPDATE message SET record = (SELECT record FROM message AS other WHERE other.id != message.id LIMIT 1)
            """,
            // A record of another table, and the value of one name under another.
            "UPDATE message SET record = (SELECT value FROM meta WHERE key = 'deviceAddress')",
            """
            UPDATE meta SET value = (SELECT value FROM meta AS other WHERE other.key = 'cursor')
            WHERE key = 'deviceAddress'
            """,
            "UPDATE attachment SET record = (SELECT record FROM message LIMIT 1)",
        ])
    func tampered(change: String) throws {
        try fill(store(key), needle: "x")
        let database = try DatabaseQueue(path: StoreUnderTest.userFolder(in: folder).database.path)
        try database.write { db in
            try db.execute(sql: change)
            #expect(db.changesCount > 0)
        }
        try database.close()
        let failure = try #require(error(of: store(key)))
        #expect(failure.kind == .corrupt)
        #expect(failure.error?.code == .tampered)
    }

    @Test("a row of one user cannot be decrypted in another user's store with the same key")
    func otherUser() throws {
        try fill(store(key, clientID: "a"), needle: "x")
        let stolen = StoreUnderTest.userFolder(in: folder, clientID: "a").url
        let target = StoreUnderTest.userFolder(in: folder, clientID: "b").url
        try FileManager.default.copyItem(at: stolen, to: target)
        #expect(error(of: store(key, clientID: "b"))?.error?.code == .wrongKey)
    }

    @Test("an unencrypted store is encrypted when it is opened, and no unencrypted byte is left")
    func sealedLater() throws {
        let needle = "Geheimnis\(UInt64.random(in: 0...(.max)))"
        let clear = store(nil)
        try fill(clear, needle: needle)
        try clear.folder.prepareFiles()
        let copy = clear.folder.files.appendingPathComponent("copy")
        try Data(needle.utf8).write(to: copy)
        // A file that a crash during the encryption left.
        try Data(needle.utf8).write(to: copy.appendingPathExtension("unfinished"))
        let before = try clear.restore(window: 200)
        let sealed = store(key)
        #expect(try sealed.restore(window: 200) == before)
        withExtendedLifetime(clear) {}
        #expect(try files(with: needle) == [])
        #expect(try sealed.search(SearchQuery(text: needle, limit: 200)).count == 100)
        var reader = try SealedFileReader(copy, keys: sealed.folder.keys)
        #expect(try reader.next() == Array(needle.utf8))
        // Opening it again does not change it.
        #expect(try store(key).restore(window: 200) == before)
    }

    @Test("without sealsExistingStore a planted unencrypted store is refused")
    func notSealed() async throws {
        func chat(sealsExisting: Bool) -> TestChat {
            TestChat(
                in: folder,
                configure: { config in
                    config.storageKey = key
                    config.sealsExistingStore = sealsExisting
                })
        }
        // A new store is encrypted and can be opened again.
        for _ in 0..<2 {
            let chat = chat(sealsExisting: false)
            try await chat.open().send("mine")
            chat.settle()
            chat.shutDown()
        }
        let root = folder.url.appendingPathComponent("Chat")
        let place = UserFolder(root: root, providerUID: "provider", appMarker: "tests", clientID: "client-1")
        try place.erase()
        let invented = Sample.own("forged", at: 1, .queued(Sample.entry(1), deadline: nil))
        let other = SQLiteChatStore(folder: place, errors: ErrorTable())
        try other.commit(StoreTransaction(user: "client-1", changes: [.saveMessage(invented)]))
        let strict = chat(sealsExisting: false)
        let error = await #expect(throws: ChatAuthorizationError.self) {
            try await strict.sdk.authorize(ChatUser(identifier: "client-1"))
        }
        #expect((error?.underlying as? ChatStorageError)?.code == .notSealed)
        #expect(try other.restore(window: 1).messages.count == 1, "no data is deleted")
        strict.shutDown()
        let screen = try chat(sealsExisting: true).open()
        #expect(screen.state.messages.map(\.id) == [MessageID("forged")])
    }

    @Test("without sealsExistingStore files beside a new store are deleted", arguments: [false, true])
    func plantedFiles(hasEmptyDatabase: Bool) throws {
        let place = StoreUnderTest.userFolder(in: folder, key: key)
        func store() -> SQLiteChatStore {
            SQLiteChatStore(folder: place, errors: ErrorTable(), sealsExisting: false)
        }
        try fill(store(), needle: "x")
        let copy = place.files.appendingPathComponent(RowCodec(keys: place.keys).name("file id"))
        try place.prepareFiles()
        var writer = try SealedFileWriter(copy, keys: place.keys)
        try writer.write(Array("genuine".utf8))
        try writer.finish()
        // An encrypted store keeps its files when it is opened again.
        _ = try store().restore(window: 1)
        #expect(SealedFile.isSealed(copy, keys: place.keys))
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: place.database.path + suffix)
        }
        if hasEmptyDatabase { _ = FileManager.default.createFile(atPath: place.database.path, contents: nil) }
        try Data("planted".utf8).write(to: copy)
        try Data("planted".utf8).write(to: copy.appendingPathExtension("unfinished"))
        _ = try store().restore(window: 1)
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(try files(with: "planted") == [])
    }

    @Test("without sealsExistingStore an unencrypted pending logout is not reported", arguments: [false, true])
    func plantedFarewell(sealsExisting: Bool) throws {
        let root = folder.url.appendingPathComponent("Chat")
        let place = UserFolder(root: root, providerUID: "provider", appMarker: "tests", clientID: "other")
        let planted = SQLiteChatStore(folder: place, errors: ErrorTable())
        let farewell = Farewell(clientID: "other", deviceAddress: "device")
        try planted.commit(StoreTransaction(user: "other", changes: [.farewell(farewell)]))
        let chat = TestChat(
            in: folder,
            configure: { config in
                config.storageKey = key
                config.sealsExistingStore = sealsExisting
            })
        _ = try chat.open()
        let stores = chat.sdk.driver.engine.wait(otherwise: []) { Set($0.stores.keys) }
        #expect(stores == (sealsExisting ? ["client-1", "other"] : ["client-1"]))
    }

    @Test("unencrypted rows in an encrypted store cannot be read")
    func clearRows() throws {
        try fill(store(key), needle: "x")
        let database = try DatabaseQueue(path: StoreUnderTest.userFolder(in: folder).database.path)
        let forged = Sample.own("forged", at: 1, .queued(Sample.entry(1), deadline: nil))
        try database.write { db in
            _ = try MessageRow(forged, RowCodec(keys: nil)).save(db)
        }
        try database.close()
        #expect(error(of: store(key))?.error?.code == .tampered)
    }

    @Test("an encryption that was interrupted after its commit is completed at the next opening")
    func sealingCutOff() throws {
        let needle = "Geheimnis\(UInt64.random(in: 0...(.max)))"
        try fill(store(key), needle: "x")
        // The state after the commit, before the old bytes are overwritten.
        let database = try DatabaseQueue(path: StoreUnderTest.userFolder(in: folder).database.path)
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA secure_delete = OFF; PRAGMA journal_mode = WAL; CREATE TABLE old (words TEXT)")
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO old VALUES (?)", arguments: [needle]) }
            try db.execute(sql: "DROP TABLE old; PRAGMA user_version = \(SQLiteChatStore.unscrubbed)")
        }
        #expect(try !files(with: needle).isEmpty, "the test must be able to see the needle")
        #expect(try store(key).restore(window: 200).messages.count == 100)
        withExtendedLifetime(database) {}
        #expect(try files(with: needle) == [])
    }

    @Test("an erased encrypted store leaves no file, or only an anonymous pending logout")
    func erase() throws {
        let sealed = store(key)
        try fill(sealed, needle: "x")
        let farewell = Farewell(clientID: "client-needle", deviceAddress: "device-needle")
        try sealed.commit(StoreTransaction(user: "client", changes: [.erase, .farewell(farewell)]))
        #expect(try files(with: "needle") == [])
        #expect(try store(key).restore(window: 1).farewell == farewell)
        try sealed.commit(StoreTransaction(user: "client", changes: [.farewell(nil)]))
        #expect(try folder.contents().isEmpty)
    }

    // MARK: Files

    @Test(
        "a file of any length is read back unchanged, and is stored without cleartext",
        arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
    func files(count: Int) throws {
        let keys = StoreKeys(key, folder: "folder")
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
        let url = folder.url.appendingPathComponent("file")
        var writer = try SealedFileWriter(url, keys: keys)
        // The chunks do not match the pieces.
        for start in stride(from: 0, to: count, by: 10_007) {
            try writer.write(bytes[start..<min(count, start + 10_007)])
        }
        try writer.finish()
        var reader = try SealedFileReader(url, keys: keys)
        #expect(reader.length == Int64(count))
        var read: [UInt8] = []
        while let piece = try reader.next() { read += piece }
        #expect(read == bytes)
        if count > 64 {
            #expect(try Data(contentsOf: url).range(of: Data(bytes[0..<64])) == nil)
        }
    }

    @Test("a file that was truncated, extended, changed, renamed or reordered cannot be decrypted")
    func tamperedFiles() throws {
        let keys = StoreKeys(key, folder: "folder")
        let url = folder.url.appendingPathComponent("file")
        var writer = try SealedFileWriter(url, keys: keys)
        try writer.write([UInt8](repeating: 5, count: 150_000))
        try writer.finish()
        let whole = try Data(contentsOf: url)
        let piece = SealedFile.pieceLength + SealedFile.tagLength
        let first = SealedFile.headerLength..<(SealedFile.headerLength + piece)
        let second = first.upperBound..<(first.upperBound + piece)
        func opens(_ data: Data, as name: String = "file", _ keys: StoreKeys) throws -> Bool {
            let url = folder.url.appendingPathComponent(name)
            try data.write(to: url)
            do {
                var reader = try SealedFileReader(url, keys: keys)
                while try reader.next() != nil {}
                return true
            } catch let error as ChatStorageError {
                #expect(error.code == .tampered)
                return false
            }
        }
        #expect(try opens(whole, keys))
        #expect(try !opens(whole, StoreKeys(key, folder: "another")))
        #expect(try !opens(whole, as: "renamed", keys))
        #expect(try !opens(whole.dropLast(), keys))
        #expect(try !opens(whole + Data([0]), keys))
        #expect(try !opens(whole[..<first.upperBound], keys), "truncated at the end of a piece")
        #expect(
            try !opens(whole[..<first.lowerBound] + whole[second] + whole[first] + whole[second.upperBound...], keys))
        #expect(try !opens(whole[..<10], keys))
        #expect(try !opens(Data(), keys))
        var changed = whole
        changed[changed.count - 1] ^= 1
        #expect(try !opens(changed, keys))
    }

    // MARK: Keys

    @Test("a key has 32 bytes, and its description does not show them")
    func keys() throws {
        for count in [0, 16, 31, 33] {
            let error = #expect(throws: ChatStorageError.self) {
                try ChatStorageKey(bytes: [UInt8](repeating: 1, count: count))
            }
            #expect(error?.code == .unusableKey)
        }
        let key = try ChatStorageKey(bytes: [UInt8](repeating: 0x5A, count: 32))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", key.debugDescription, dumped] { #expect(!text.contains("5A") && !text.contains("90")) }
        #expect(ChatStorageKey.random() != ChatStorageKey.random())
    }

    @Test("two concurrent first starts use the same key, the stored one")
    func firstStartsAtOnce() async throws {
        let kept = Noted<String>()
        let others = Noted<ChatStorageKey>()
        let keep: @Sendable (String) -> Void = { if kept.values.isEmpty { kept.append($0) } }
        let mine = try await ChatStorageKey.kept(
            read: {
                let found = kept.values.first
                // The other process starts, and stores its key, after this one has found none.
                if found == nil, others.values.isEmpty {
                    others.append(try await ChatStorageKey.kept(read: { kept.values.first }, write: { keep($0) }))
                }
                return found
            }, write: { keep($0) })
        #expect(others.values == [mine])
        #expect(kept.values.count == 1)
    }

    @Test("a key that the credential store does not store is not used")
    func notKept() async throws {
        let error = await #expect(throws: ChatStorageError.self) {
            try await ChatStorageKey.kept(read: { nil }, write: { _ in })
        }
        #expect(error?.code == .unusableKey)
    }

    @Test("the key comes from the credential store, and an invalid key there is an error")
    func keptKey() async throws {
        let kept = Noted<String>()
        let first = try await ChatStorageKey.kept(read: { kept.values.last }, write: { kept.append($0) })
        let second = try await ChatStorageKey.kept(read: { kept.values.last }, write: { kept.append($0) })
        #expect(first == second)
        #expect(kept.values.count == 1)
        for text in ["", "not base64!", Data([1, 2, 3]).base64EncodedString()] {
            let error = await #expect(throws: ChatStorageError.self) {
                try await ChatStorageKey.kept(read: { text }, write: { _ in Issue.record("a key was replaced") })
            }
            #expect(error?.code == .unusableKey)
        }
    }
}
