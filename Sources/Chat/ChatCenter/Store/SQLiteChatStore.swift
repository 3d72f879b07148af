import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// One user's chat in its own SQLite database.
///
/// A commit that returned survives `kill -9` and a power failure: the journal is a write-ahead log with `synchronous =
/// FULL`. Deleted data is overwritten. An erased store leaves no file, unless a logout must still be reported to the
/// server. With keys, every row is encrypted, and the search index exists only in memory.
final class SQLiteChatStore: ChatStore {
    let folder: UserFolder
    let codec: RowCodec
    let errors: ErrorTable
    /// The search index in the database; `nil` if the rows are encrypted, because the index is then in the reader's
    /// memory.
    let index: SearchIndex?
    /// Whether unencrypted rows are encrypted if there is a key.
    let sealsExisting: Bool
    private var database: DatabaseQueue?
    private var openReader: SQLiteChatReader?
    /// The number of commits. A concurrent reader uses it to detect changes.
    private(set) var version: UInt64 = 0
    /// The open transaction, see ``group(_:)``.
    private var transaction: Database?
    /// The places of messages that the transaction changed.
    private var changed: Set<Int64> = []

    /// Creates a store. Opens the database at the first use.
    init(folder: UserFolder, errors: ErrorTable, sealsExisting: Bool = true) {
        self.folder = folder
        self.sealsExisting = sealsExisting
        self.errors = errors
        codec = RowCodec(keys: folder.keys)
        index = folder.keys == nil ? SearchIndex() : nil
    }

    func restore(window: Int) throws(StoreFailure) -> PersistedChat {
        try read { db in
            var chat = PersistedChat.empty
            try MetaRow.read(db, into: &chat, codec)
            let recent = try Self.newest(db, atLeast: max(0, window))
            let recentNames = Set(recent.map(\.name))
            let queued = try MessageRow.fetchAll(
                db, sql: "SELECT * FROM message WHERE isQueued AND isQueued = 1 ORDER BY time, sequence")
            let total = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM message") ?? 0
            let rows = queued.filter { !recentNames.contains($0.name) } + recent.reversed()
            chat.messages = try rows.map { try $0.message(codec) }
            chat.hasOlder = total > recent.count
            chat.attachments = try AttachmentRow.fetchAll(db, sql: "SELECT * FROM attachment ORDER BY rowid").map {
                try $0.job(in: folder, codec)
            }
            return chat
        }
    }

    /// Returns the newest messages, newest first, back to the oldest one that was read without the server's knowledge.
    /// A gap between them could never be displayed. The number is limited to what may be in memory.
    private static func newest(_ db: Database, atLeast window: Int) throws -> [MessageRow] {
        let untold = try Row.fetchOne(
            db,
            sql: "SELECT time, sequence FROM message WHERE isQueued AND isQueued = 2 ORDER BY time, sequence LIMIT 1")
        var wanted = window
        if let untold, window > 0 {
            let count = try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM message WHERE (time, sequence) >= (?, ?)",
                arguments: [try untold.integer("time"), try untold.integer("sequence")])
            wanted = max(window, min(count ?? 0, MessageWindow.capacity))
        }
        let rows = try MessageRow.fetchCursor(
            db, sql: "SELECT * FROM message ORDER BY time DESC, sequence DESC LIMIT ?", arguments: [wanted])
        var newest: [MessageRow] = []
        var bytes = 0
        while let row = try rows.next() {
            bytes += row.byteCount
            guard bytes <= MessageWindow.longestInBytes else { break }
            newest.append(row)
        }
        return newest
    }

    func commit(_ transaction: StoreTransaction) throws(StoreFailure) {
        guard !transaction.changes.contains(.erase) else { return try commitErasing(transaction) }
        try write { db in
            for change in transaction.changes { try apply(change, in: db) }
            try index(after: transaction, in: db)
        }
        // This is the last change for a logged-out user.
        if transaction.changes.contains(.farewell(nil)) { try leaveNothing(scrubs: false) }
    }

    /// Erases a user's data. The erasure must not fail because the disk is full or the file is in use, so the folder is
    /// deleted if the transaction fails. Data to keep is then written to a new store if possible.
    private func commitErasing(_ transaction: StoreTransaction) throws(StoreFailure) {
        // Stops reading, which would delay the erasure, and discards the search index in memory.
        closeReader()
        do throws(StoreFailure) {
            try write { db in
                for change in transaction.changes { try apply(change, in: db) }
            }
            try leaveNothing(scrubs: true)
        } catch {
            try erase()
            let left = transaction.changes.split(separator: .erase, omittingEmptySubsequences: false).last ?? []
            guard !left.isEmpty else { return }
            do throws(StoreFailure) {
                try write { db in
                    for change in left { try apply(change, in: db) }
                }
                try leaveNothing(scrubs: false)
            } catch {
                // The user's data is deleted. The server notices when the device no longer responds.
                try erase()
            }
        }
    }

    func messages(named names: [String]) throws(StoreFailure) -> [StoredMessage] {
        try read { db in
            // In the order of the names, so that the result is the same in every process.
            var (known, rows): (Set<String>, [MessageRow]) = ([], [])
            for name in names.map(codec.name) {
                let found = try MessageRow.fetchAll(
                    db, sql: "SELECT * FROM message WHERE id = ?1 UNION SELECT * FROM message WHERE serverID = ?1",
                    arguments: [name])
                for row in found where known.insert(row.name).inserted { rows.append(row) }
            }
            return try rows.map { try $0.message(codec) }
        }
    }

    func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage {
        try read { db in try SQLiteChatReader.page(query, db, codec) }
    }

    func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit] {
        while try takeWaitingWords() {}
        return try reader().search(query)
    }

    /// Returns the concurrent reader of this store, for any thread. It sees committed data.
    func reader() throws(StoreFailure) -> SQLiteChatReader {
        do {
            _ = try opened()
            if let openReader { return openReader }
            let reader = SQLiteChatReader(
                database: folder.database, codec: codec, isIndexed: index != nil, errors: errors)
            openReader = reader
            return reader
        } catch {
            throw failure(error)
        }
    }

    /// Adds some of the waiting messages to the search index. Returns whether there were any.
    func takeWaitingWords() throws(StoreFailure) -> Bool {
        guard let index, try read({ db in try index.waiting(in: db) }) > 0 else { return false }
        try write { db in try index.takeWaiting(in: db, codec, atMost: SearchIndex.mostAtOnce) }
        return true
    }

    /// Combines all commits of `body` into one, which survives a crash when this returns. A commit that throws is
    /// rolled back alone.
    func group(_ body: () throws -> Void) throws(StoreFailure) {
        do {
            try opened().write { db in
                transaction = db
                defer { transaction = nil }
                try body()
            }
            tellReader()
        } catch {
            changed = []
            throw failure(error)
        }
    }

    func erase() throws(StoreFailure) {
        do {
            close()
            try folder.erase()
        } catch {
            throw failure(error)
        }
    }

    /// Closes the files, and cancels concurrent reading.
    func close() {
        closeReader()
        // If it cannot be closed now, it is closed when its last user releases it.
        try? database?.close()
        database = nil
    }

    private func closeReader() {
        openReader?.close()
        openReader = nil
    }

    // MARK: Database

    /// Returns the database, and opens it if necessary.
    func opened() throws -> DatabaseQueue {
        if let database { return database }
        try folder.prepare()
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.label = "holdfast.chat.store"
        // Another process may lock the file during a commit.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        let queue = try DatabaseQueue(path: folder.database.path, configuration: configuration)
        // When GRDB enables the write-ahead log, after `prepareDatabase`, it sets NORMAL. A power failure could then
        // lose a message that `send` has accepted.
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        try Self.migrator.migrate(queue)
        try unlock(queue)
        database = queue
        return queue
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
        do {
            if let transaction { return try body(transaction) }
            return try opened().read(body)
        } catch {
            throw failure(error)
        }
    }

    private func write(_ body: (Database) throws -> Void) throws(StoreFailure) {
        do {
            if let transaction {
                return try transaction.inSavepoint {
                    try body(transaction)
                    return .commit
                }
            }
            changed = []
            try opened().write(body)
            tellReader()
        } catch {
            throw failure(error)
        }
    }

    /// Notes that the text of a message changed.
    func noteChange(at place: Int64) {
        if index == nil { changed.insert(place) }
    }

    /// Tells the reader that the search index in memory is outdated.
    private func tellReader() {
        version += 1
        if !changed.isEmpty { openReader?.note(changed) }
        changed = []
    }

    /// Deletes the files if nothing is left. Otherwise overwrites old bytes after an erasing transaction.
    private func leaveNothing(scrubs: Bool) throws(StoreFailure) {
        let isEmpty = try read { db in try Self.isEmpty(db) }
        if isEmpty { return try erase() }
        guard scrubs else { return }
        do {
            try folder.eraseFiles()
            try opened().writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM")
                try db.checkpoint(.truncate)
            }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> StoreFailure {
        StoreFailure(StoreFailure.Kind(error), errorID: errors.keep(error))
    }
}

extension SQLiteChatStore {
    /// Returns the pending logout without creating, migrating or encrypting anything. `nil` if there is none, or if the
    /// store is not encrypted with this store's key.
    func storedFarewell() throws -> Farewell? {
        guard try folder.check() else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        let queue = try DatabaseQueue(path: folder.database.path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            let proof =
                try db.tableExists("seal")
                ? Data.fetchOne(db, sql: "SELECT proof FROM seal WHERE id = 1") : nil
            guard opens(proof) else { return nil }
            return try MetaRow.farewell(db, codec)
        }
    }
}

extension SQLiteChatStore {
    /// Deletes unreadable messages and settings, so that one damaged row does not affect the others. Returns their
    /// number.
    ///
    /// Files of unsent messages are kept, because the message could not be sent without them.
    func removeUnreadable() throws -> Int {
        let count = try opened().write { db in
            var places: [Int64] = []
            let messages = try Row.fetchCursor(db, sql: "SELECT rowid AS number, * FROM message")
            while let row = try messages.next() {
                do {
                    _ = try MessageRow(row: row).message(codec)
                } catch {
                    places.append(try row.decode(forColumn: "number"))
                }
            }
            for place in places {
                try db.execute(sql: "DELETE FROM message WHERE rowid = ?", arguments: [place])
            }
            let names = try MetaRow.unreadable(db, codec)
            for name in names { try db.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [name]) }
            // Removes the words of deleted messages.
            if !places.isEmpty { try index?.removeOrphans(in: db) }
            return places.count + names.count
        }
        version += 1
        openReader?.forgetWords()
        return count
    }
}

extension StoreFailure.Kind {
    /// Classifies an error of the database or of the file system.
    init(_ error: any Error) {
        switch error {
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_FULL: self = .diskFull
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt
            default: self = .other
            }
        case let error as ChatStorageError: self = error.code == .tampered ? .corrupt : .locked
        case is DamagedRow, is JSONError, is WireError, is DecodingError, is RowDecodingError: self = .corrupt
        case let error as CocoaError: self = error.code == .fileWriteOutOfSpace ? .diskFull : .other
        default: self = .other
        }
    }
}
