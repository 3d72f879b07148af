import ChatCenterCore
import Foundation
import GRDB
import HoldfastSystem

// A sealed store: whether the key is the right one, and how a store becomes sealed.
extension SQLiteChatStore {
    private static let unfinished = "unfinished"
    /// The database's own number while old bytes may lie in it or beside it.
    static let unscrubbed = 1
    private static let proofPlace = RowPlace(table: "seal", names: ["proof"])
    private static let proof = Array("holdfast chat store".utf8)

    /// Whether this store's key is the one that a store with this proof has: none for one in the clear.
    func opens(_ proof: Data?) -> Bool {
        guard let proof, codec.keys != nil else { return proof == nil && codec.keys == nil }
        return (try? codec.open(proof, at: Self.proofPlace)) == Self.proof
    }

    /// Sees that the key fits what is there, seals what was not sealed yet, and makes the search index.
    func unlock(_ queue: DatabaseQueue) throws {
        let proof = try queue.read { db in try Data.fetchOne(db, sql: "SELECT proof FROM seal WHERE id = 1") }
        switch (proof, codec.keys) {
        case (nil, nil): break
        case (.some, nil):
            throw ChatStorageError(.keyMissing, "The chat's store is sealed, and no key was given.")
        case (.some, .some):
            guard opens(proof) else {
                throw ChatStorageError(.wrongKey, "The chat's store is sealed with another key.")
            }
        case (nil, .some):
            if !sealsExisting {
                guard try queue.read({ db in try Self.isEmpty(db) }) else {
                    throw ChatStorageError(
                        .notSealed, "The chat's store is not sealed, although there was always a key.")
                }
                // The database is new, so the files beside it are not this app's: sealed, they would count as genuine.
                try folder.eraseFiles()
            }
            try seal(queue)
        }
        try scrub(queue)
        guard let index else { return }
        try queue.writeWithoutTransaction { db in
            guard try index.isOutdated(db) else { return }
            // Whole or not at all: a table that a crash left half full would find nothing of the rest, ever.
            try db.inTransaction {
                try index.rebuild(db, codec)
                return .commit
            }
        }
    }

    /// Seals what was kept in the clear before there was a key, and leaves no byte of it.
    private func seal(_ queue: DatabaseQueue) throws {
        let files =
            try FileManager.default.fileExists(atPath: folder.files.path)
            ? FileManager.default.contentsOfDirectory(at: folder.files, includingPropertiesForKeys: nil) : []
        for file in files {
            // What a crash in the middle of this left.
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

    /// Leaves no old byte in the database and beside it after a sealing. One that a crash cut off is done at the next
    /// opening: the number that says so is part of the sealing's transaction.
    private func scrub(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Self.unscrubbed else { return }
            try db.execute(sql: "VACUUM")
            try db.checkpoint(.truncate)
            try db.execute(sql: "PRAGMA user_version = 0")
        }
    }

    /// A file that is sealed already was sealed before a crash cut the sealing off.
    private func sealFile(_ file: URL) throws {
        if SealedFile.isSealed(file, keys: folder.keys) { return }
        let new = file.appendingPathExtension(Self.unfinished)
        var reader = try SealedFileReader(file, keys: nil)
        // The name that is bound to the pieces is the one that the file will have.
        var writer = try SealedFileWriter(new, keys: folder.keys, name: file.lastPathComponent)
        while let piece = try reader.next() { try writer.write(piece) }
        try writer.finish(isDurable: true)
        // In one step: a crash leaves the one or the other, and both are whole.
        guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
