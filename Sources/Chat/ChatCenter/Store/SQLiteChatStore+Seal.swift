import ChatCenterCore
import Foundation
import GRDB
import HoldfastSystem

// Encrypted stores: checks the key, and encrypts an existing store.
extension SQLiteChatStore {
    private static let unfinished = "unfinished"
    /// The value of `user_version` while unencrypted bytes may remain in the database or beside it.
    static let unscrubbed = 1
    private static let proofPlace = RowPlace(table: "seal", names: ["proof"])
    private static let proof = Array("holdfast chat store".utf8)

    /// Returns whether this store's key matches the proof of the database. An unencrypted store has neither.
    func opens(_ proof: Data?) -> Bool {
        guard let proof, codec.keys != nil else { return proof == nil && codec.keys == nil }
        return (try? codec.open(proof, at: Self.proofPlace)) == Self.proof
    }

    /// Checks the key, encrypts an unencrypted store, and creates the search index.
    func unlock(_ queue: DatabaseQueue) throws {
        let proof = try queue.read { db in try Data.fetchOne(db, sql: "SELECT proof FROM seal WHERE id = 1") }
        switch (proof, codec.keys) {
        case (nil, nil): break
        case (.some, nil):
            throw ChatStorageError(.keyMissing, "The chat's store is encrypted. Set ChatConfig.storageKey to its key.")
        case (.some, .some):
            guard opens(proof) else {
                throw ChatStorageError(.wrongKey, "The chat's store is encrypted with another key.")
            }
        case (nil, .some):
            if !sealsExisting {
                guard try queue.read({ db in try Self.isEmpty(db) }) else {
                    throw ChatStorageError(
                        .notSealed, "The chat's store is not encrypted, but sealsExistingStore is false.")
                }
                // The database is new, so these files are not this app's. If they were encrypted, they would count as
                // genuine.
                try folder.eraseFiles()
            }
            try seal(queue)
        }
        try scrub(queue)
        guard let index else { return }
        try queue.writeWithoutTransaction { db in
            guard try index.isOutdated(db) else { return }
            // In one transaction, because a table that a crash left incomplete would never be completed.
            try db.inTransaction {
                try index.rebuild(db, from: db, codec)
                return .commit
            }
        }
    }

    /// Encrypts data that was stored without a key, and deletes every unencrypted byte.
    private func seal(_ queue: DatabaseQueue) throws {
        let files =
            try FileManager.default.fileExists(atPath: folder.files.path)
            ? FileManager.default.contentsOfDirectory(at: folder.files, includingPropertiesForKeys: nil) : []
        for file in files {
            // A crash during an earlier encryption left this file.
            if file.pathExtension == Self.unfinished { try FileManager.default.removeItem(at: file) }
        }
        for file in files where file.pathExtension != Self.unfinished { try sealFile(file) }
        DurableFile.flushFolder(folder.files.path)
        let clear = RowCodec(keys: nil)
        try queue.write { db in
            let messages = try MessageRow.fetchAll(db, sql: "SELECT * FROM message ORDER BY place")
            let attachments = try AttachmentRow.fetchAll(db, sql: "SELECT * FROM attachment ORDER BY rowid")
            let meta = try Row.fetchAll(db, sql: "SELECT key, value FROM meta")
            try db.execute(
                sql: """
                    DELETE FROM message; DELETE FROM attachment; DELETE FROM meta;
                    DROP TABLE IF EXISTS main.messageText;
                    DROP TABLE IF EXISTS main.waitingText;
                    """)
            for row in messages { _ = try MessageRow(try row.message(clear), codec).save(db) }
            for row in attachments { try AttachmentRow(try row.job(in: folder, clear), in: folder, codec).save(db) }
            for row in meta { try MetaRow.reseal(row, in: db, codec) }
            try db.execute(
                sql: "INSERT INTO seal (id, proof) VALUES (1, ?)",
                arguments: [try codec.seal(Self.proof, at: Self.proofPlace)])
            try db.execute(sql: "PRAGMA user_version = \(Self.unscrubbed)")
        }
    }

    /// Deletes unencrypted bytes in the database and beside it after the encryption. After a crash this is repeated at
    /// the next opening, because the transaction of the encryption sets `user_version`.
    private func scrub(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Self.unscrubbed else { return }
            try db.execute(sql: "VACUUM")
            try db.checkpoint(.truncate)
            try db.execute(sql: "PRAGMA user_version = 0")
        }
    }

    /// Encrypts a file, unless it was already encrypted before a crash.
    private func sealFile(_ file: URL) throws {
        if SealedFile.isSealed(file, keys: folder.keys) { return }
        let new = file.appendingPathExtension(Self.unfinished)
        var reader = try SealedFileReader(file, keys: nil)
        // The encrypted pieces are bound to the final name of the file.
        var writer = try SealedFileWriter(new, keys: folder.keys, name: file.lastPathComponent)
        while let piece = try reader.next() { try writer.write(piece) }
        try writer.finish(isDurable: true)
        // Atomic: after a crash, either the old or the new file exists, and both are complete.
        guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
