import ChatCenterCore
import Foundation
import GRDB
import Synchronization

/// Reads one user's chat on its own connection, concurrently with the store that writes it. Each result is one snapshot
/// of the committed data, and no commit waits for it.
///
/// Can be used from any thread, one call at a time.
final class SQLiteChatReader: Sendable {
    /// The maximum number of remembered changes. If there are more, the index is rebuilt.
    private static let mostChanges = 10_000

    private struct State {
        var database: DatabaseQueue?
        /// The search index of an encrypted store, created by the first search.
        var words: DatabaseQueue?
        /// The places of messages that changed since the index was last updated.
        var changes: Set<Int64> = []
        /// The number of times the index was discarded. An index that was being built at that time cannot be used.
        var generation = 0
        var isClosed = false

        mutating func forgetWords() {
            changes = []
            words = nil
            generation += 1
        }
    }

    private struct Closed: Error {}

    private let file: URL
    private let codec: RowCodec
    /// Whether the database contains the search index.
    private let isIndexed: Bool
    private let errors: ErrorTable
    private let state = Mutex(State())

    init(database: URL, codec: RowCodec, isIndexed: Bool, errors: ErrorTable) {
        file = database
        self.codec = codec
        self.isIndexed = isIndexed
        self.errors = errors
    }

    func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage {
        try read { db in try Self.page(query, db, codec) }
    }

    /// Returns matching messages, newest first, each with its content.
    func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit] {
        try read { db in
            let index = SearchIndex()
            let places =
                try isIndexed
                ? index.places(query, in: db)
                : words(from: db).read { words in try index.places(query, in: words) }
            return try SearchIndex.hits(at: places, in: db, codec)
        }
    }

    static func page(_ query: HistoryQuery, _ db: Database, _ codec: RowCodec) throws -> HistoryPage {
        let count = max(0, query.count)
        switch query.bound {
        case .newest:
            let rows = try MessageRow.fetchAll(
                db, sql: "SELECT * FROM message ORDER BY time DESC, sequence DESC LIMIT ?", arguments: [count + 1])
            return try page(backward: rows, count, codec)
        case .before(let position): return try page(before: position, count, db, codec)
        case .after(let position):
            let rows = try rows(after: position, count, db)
            return HistoryPage(messages: try rows.map { try $0.message(codec) }, hasOlder: true)
        case .around(let id):
            let row = try MessageRow.fetchOne(
                db, sql: "SELECT * FROM message WHERE id = ?", arguments: [codec.name(id.text)])
            guard let message = try row?.message(codec) else { return HistoryPage(messages: [], hasOlder: false) }
            var page = try page(before: message.position, count, db, codec)
            page.messages.append(message)
            page.messages += try rows(after: message.position, count, db).map { try $0.message(codec) }
            return page
        }
    }

    private static func page(
        before position: MessagePosition, _ count: Int, _ db: Database, _ codec: RowCodec
    ) throws -> HistoryPage {
        let older = try db.cachedStatement(
            sql: """
                SELECT * FROM message WHERE (time, sequence) < (?, ?)
                ORDER BY time DESC, sequence DESC LIMIT ?
                """)
        let rows = try MessageRow.fetchAll(older, arguments: [position.time, position.sequence, count + 1])
        return try page(backward: rows, count, codec)
    }

    /// Returns the rows after a position, oldest first.
    private static func rows(after position: MessagePosition, _ count: Int, _ db: Database) throws -> [MessageRow] {
        try MessageRow.fetchAll(
            db,
            sql: "SELECT * FROM message WHERE (time, sequence) > (?, ?) ORDER BY time, sequence LIMIT ?",
            arguments: [position.time, position.sequence, count])
    }

    /// Creates a page from rows, newest first. One more row than `count` shows that there are older messages.
    private static func page(backward rows: [MessageRow], _ count: Int, _ codec: RowCodec) throws -> HistoryPage {
        HistoryPage(
            messages: try rows.prefix(count).reversed().map { try $0.message(codec) }, hasOlder: rows.count > count)
    }

    // MARK: The search index in memory

    /// Returns the search index of an encrypted store, updated to a snapshot of it.
    private func words(from db: Database) throws -> DatabaseQueue {
        // Changes from here on are indexed again, because they may or may not be part of this snapshot.
        let (known, changes, generation) = state.withLock { state in
            defer { state.changes = [] }
            return (state.words, state.changes, state.generation)
        }
        let index = SearchIndex()
        if let known {
            do {
                try known.write { words in try index.update(changes, in: words, from: db, codec) }
            } catch {
                note(changes)
                throw error
            }
            return known
        }
        let new = try DatabaseQueue()
        try new.write { words in try index.rebuild(words, from: db, codec) }
        state.withLock { state in
            if !state.isClosed, state.generation == generation { state.words = new }
        }
        return new
    }

    /// Notes that messages at these places were changed, added or removed by a commit.
    func note(_ places: Set<Int64>) {
        state.withLock { state in
            state.changes.formUnion(places)
            if state.changes.count > Self.mostChanges { state.forgetWords() }
        }
    }

    /// Discards the search index, because all messages may have changed.
    func forgetWords() {
        state.withLock { $0.forgetWords() }
    }

    // MARK: The connection

    /// Cancels reading and closes the connection. Returns when the file is closed.
    func close() {
        let databases = state.withLock { state in
            state.isClosed = true
            defer { (state.database, state.words, state.changes) = (nil, nil, []) }
            return [state.database, state.words].compactMap(\.self)
        }
        for database in databases {
            database.interrupt()
            try? database.close()
        }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
        do {
            return try opened().read(body)
        } catch {
            throw StoreFailure(StoreFailure.Kind(error), errorID: errors.keep(error))
        }
    }

    private func opened() throws -> DatabaseQueue {
        if let database = state.withLock({ $0.database }) { return database }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "holdfast.chat.reader"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA temp_store = MEMORY") }
        let database = try DatabaseQueue(path: file.path, configuration: configuration)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.database = database }
            return state.isClosed
        }
        if isClosed { throw Closed() }
        return database
    }
}
