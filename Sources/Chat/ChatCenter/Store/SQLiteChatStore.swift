import ChatCenterCore
import ChatWire
import Foundation
import GRDB

/// One user's chat in an SQLite database of its own.
///
/// A commit that returned survives `kill -9` and a power cut: the journal is a write-ahead log with `synchronous = FULL`.
/// What is deleted is overwritten, and an erased store leaves no file behind unless a farewell is still to be told. With
/// keys every row is sealed, and the search index lives in memory alone.
final class SQLiteChatStore: ChatStore {
    let folder: UserFolder
    let codec: RowCodec
    var index: SearchIndex
    let errors: ErrorTable
    /// Whether rows in the clear are sealed where there is a key.
    let sealsExisting: Bool
    private var database: DatabaseQueue?

    /// Makes a store; opens nothing before it is used.
    init(folder: UserFolder, errors: ErrorTable, sealsExisting: Bool = true) {
        self.folder = folder
        self.sealsExisting = sealsExisting
        self.errors = errors
        codec = RowCodec(keys: folder.keys)
        index = folder.keys == nil ? .stored : .inMemory
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

    /// The newest messages, the newest first, as far back as one that was read without the server's knowledge: with a gap
    /// between, what lies in the gap would never be shown. No more than may be in memory, whatever an earlier version kept.
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
        // The last thing that is told of a user who has left.
        if transaction.changes.contains(.farewell(nil)) { try leaveNothing(scrubs: false) }
    }

    /// A user who leaves: nothing may stay because there is no room, or because somebody holds the file. Taking the folder
    /// away needs neither; what is to be kept beside the erasing is then written into a new store, as far as that goes.
    private func commitErasing(_ transaction: StoreTransaction) throws(StoreFailure) {
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
                // The user is gone; the server finds out when the device no longer answers.
                try erase()
            }
        }
    }

    func messages(named names: [String]) throws(StoreFailure) -> [StoredMessage] {
        try read { db in
            var rows: [String: MessageRow] = [:]
            for name in Set(names.map(codec.name)) {
                let found = try MessageRow.fetchAll(
                    db, sql: "SELECT * FROM message WHERE id = ?1 UNION SELECT * FROM message WHERE serverID = ?1",
                    arguments: [name])
                for row in found { rows[row.name] = row }
            }
            return try rows.values.map { try $0.message(codec) }
        }
    }

    func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage {
        try read { db in
            let count = max(0, query.count)
            let rows: [MessageRow]
            if let before = query.before {
                let older = try db.cachedStatement(
                    sql: """
                        SELECT * FROM message WHERE (time, sequence) < (?, ?)
                        ORDER BY time DESC, sequence DESC LIMIT ?
                        """)
                rows = try MessageRow.fetchAll(older, arguments: [before.time, before.sequence, count + 1])
            } else {
                rows = try MessageRow.fetchAll(
                    db, sql: "SELECT * FROM message ORDER BY time DESC, sequence DESC LIMIT ?", arguments: [count + 1])
            }
            return HistoryPage(
                messages: try rows.prefix(count).reversed().map { try $0.message(codec) }, hasOlder: rows.count > count)
        }
    }

    func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit] {
        if !index.isLive { try write { db in try index.fill(db, codec) } }
        if try read({ db in try index.waiting(in: db) }) > 0 {
            try write { db in try index.takeWaiting(in: db, codec) }
        }
        return try read { db in try index.search(query, in: db, codec) }
    }

    func erase() throws(StoreFailure) {
        do {
            // One that cannot be closed now is closed when the last who uses it lets go.
            try? database?.close()
            database = nil
            index = codec.keys == nil ? .stored : .inMemory
            try folder.erase()
        } catch {
            throw failure(error)
        }
    }

    // MARK: Database

    /// The database, opened if need be.
    func opened() throws -> DatabaseQueue {
        if let database { return database }
        try folder.prepare()
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.label = "holdfast.chat.store"
        // Another process may hold the file for the length of a commit.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        let queue = try DatabaseQueue(path: folder.database.path, configuration: configuration)
        // GRDB sets NORMAL when it turns the write-ahead log on, after `prepareDatabase`: with that a power cut could
        // take a message that `send` has accepted.
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        try Self.migrator.migrate(queue)
        try unlock(queue)
        database = queue
        return queue
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
        do {
            return try opened().read(body)
        } catch {
            throw failure(error)
        }
    }

    private func write(_ body: (Database) throws -> Void) throws(StoreFailure) {
        do {
            try opened().write(body)
        } catch {
            throw failure(error)
        }
    }

    /// No file if nothing is left; if something is, no old byte in the files after an erasing transaction.
    private func leaveNothing(scrubs: Bool) throws(StoreFailure) {
        let isEmpty = try read { db in try Self.isEmpty(db) }
        if isEmpty {
            try erase()
            return
        }
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
