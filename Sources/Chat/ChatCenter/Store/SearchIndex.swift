import ChatCenterCore
import ChatWire
import GRDB

/// The full-text index over the texts of messages (FTS5).
///
/// The index is in the database. For an encrypted database it is in memory: ``SQLiteChatReader`` builds it at the first
/// search, because it must decrypt every row. Words consist of letters and digits as defined by Unicode. Case and
/// diacritics are ignored.
///
/// Words of new messages are added later, see ``takeWaiting(in:_:)``. Words of deleted messages are removed at once.
struct SearchIndex {
    /// The maximum number of words of a query that are used. Each word narrows the results, so fewer words find no
    /// less.
    static let longestQuery = 32
    /// The number of messages that may wait for indexing after a commit that a caller waits for. At the limit, the
    /// commit indexes them.
    static let mostWaiting = 512
    /// The number of messages that may wait for indexing after any other commit. At the limit, the commit indexes them.
    static let mostWaitingAtLeisure = 32
    /// The definition of the table.
    ///
    /// Prefixes of one to eight letters have their own index, which returns the newest messages at once. For a longer
    /// prefix, FTS5 first joins the lists of all words with that prefix. Such words are few, but most messages may
    /// contain one of them.
    static let shape =
        "fts5(words, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5 6 7 8')"
    /// The maximum number of messages that one transaction indexes. Further ones follow in the next transaction.
    static let mostAtOnce = 50

    /// Returns whether the table is missing or has the definition of an earlier version.
    func isOutdated(_ db: Database) throws -> Bool {
        let table = try String.fetchOne(
            db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'messageText'")
        return table?.hasSuffix(Self.shape) != true
    }

    private static func knowsSecureDelete(_ db: Database) throws -> Bool {
        let version = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        return !numbers.lexicographicallyPrecedes([3, 42])
    }

    /// Creates the table again, and indexes every message of a database, which may be another one than that of the
    /// index.
    func rebuild(_ db: Database, from messages: Database, _ codec: RowCodec) throws {
        try removeAll(in: db)
        let rows = try Row.fetchCursor(messages, sql: "SELECT * FROM message ORDER BY place")
        while let row = try rows.next() {
            let message = try MessageRow(row: row).message(codec)
            try write(Self.text(of: message), at: try row.decode(forColumn: "place"), in: db)
        }
    }

    /// Indexes the messages at these places of a database again.
    func update(_ places: Set<Int64>, in db: Database, from messages: Database, _ codec: RowCodec) throws {
        for place in places {
            try db.cachedStatement(sql: "DELETE FROM messageText WHERE rowid = ?").execute(arguments: [place])
            let row = try Self.row(at: place, messages)
            // A damaged message can be neither displayed nor found.
            guard let message = try? row?.message(codec) else { continue }
            try write(Self.text(of: message), at: place, in: db)
        }
    }

    /// Returns the searchable text of a message; empty for a deleted one.
    static func text(of message: StoredMessage) -> String {
        guard message.content.modified != .deleted else { return "" }
        return message.searchableText.replacing("\0", with: " ")
    }

    /// Marks a message for indexing. It is indexed later together with others: separately, indexing costs as much as
    /// storing the message, and sometimes a merge of the index.
    func save(_ text: String, at place: Int64, in db: Database) throws {
        let known = try String.fetchOne(
            db.cachedStatement(sql: "SELECT words FROM messageText WHERE rowid = ?"), arguments: [place])
        guard known != text else { return }
        if known != nil { try remove(place, in: db) }
        guard !text.isEmpty else { return }
        try db.cachedStatement(
            sql: "INSERT INTO waitingText (place) VALUES (?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [place])
    }

    /// Returns the number of messages that wait for indexing.
    func waiting(in db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT COUNT(*) FROM waitingText")) ?? 0
    }

    /// Indexes waiting messages: all, or at most `limit`.
    func takeWaiting(in db: Database, _ codec: RowCodec, atMost limit: Int = .max) throws {
        let places = try Int64.fetchAll(
            db, sql: "SELECT place FROM waitingText ORDER BY place LIMIT ?", arguments: [limit])
        for place in places {
            let row = try Self.row(at: place, db)
            // A damaged message can be neither displayed nor found. Reading it for display reports the damage.
            guard let message = try? row?.message(codec) else { continue }
            try write(Self.text(of: message), at: place, in: db)
        }
        guard let last = places.last else { return }
        try db.execute(sql: "DELETE FROM waitingText WHERE place <= ?", arguments: [last])
    }

    private func write(_ text: String, at place: Int64, in db: Database) throws {
        guard !text.isEmpty else { return }
        try db.cachedStatement(
            sql: "INSERT INTO messageText (rowid, words) VALUES (?, ?)"
        ).execute(arguments: [place, text])
    }

    func remove(_ place: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM messageText WHERE rowid = ?").execute(arguments: [place])
        try db.cachedStatement(sql: "DELETE FROM waitingText WHERE place = ?").execute(arguments: [place])
    }

    private static func row(at place: Int64, _ db: Database) throws -> MessageRow? {
        try MessageRow.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM message WHERE place = ?"), arguments: [place])
    }

    /// Removes the words of messages that no longer exist.
    func removeOrphans(in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM messageText WHERE rowid NOT IN (SELECT place FROM message)")
    }

    /// Removes every word. The table is created again, because deleted words would remain in it until a merge.
    func removeAll(in db: Database) throws {
        try db.execute(sql: "DROP TABLE IF EXISTS messageText; DROP TABLE IF EXISTS waitingText")
        try db.execute(sql: "CREATE VIRTUAL TABLE messageText USING \(Self.shape)")
        // The places of messages that are not indexed yet.
        try db.execute(sql: "CREATE TABLE waitingText (place INTEGER PRIMARY KEY)")
        // Since this version, SQLite can remove a deleted word at once instead of marking it.
        if try Self.knowsSecureDelete(db) {
            try db.execute(sql: "INSERT INTO messageText (messageText, rank) VALUES ('secure-delete', 1)")
        }
    }

    /// Returns the places of messages that contain, for each word of the query, a word with that prefix, newest first.
    func places(_ query: SearchQuery, in db: Database) throws -> [Int64] {
        guard query.limit > 0, let expression = Self.expression(query.text) else { return [] }
        let newest = try db.cachedStatement(
            sql: "SELECT rowid FROM messageText WHERE messageText MATCH ? ORDER BY rowid DESC LIMIT ?")
        return try Int64.fetchAll(newest, arguments: [expression, query.limit])
    }

    /// Returns the search results at these places of a database.
    static func hits(at places: [Int64], in messages: Database, _ codec: RowCodec) throws -> [SearchHit] {
        let hits = try places.compactMap { place in try row(at: place, messages)?.hit(codec) }
        return hits.sorted { $0.position > $1.position }
    }

    /// Converts a user's words to an FTS5 query: a quoted string with a prefix mark for each word. In a quoted string,
    /// only the quotation mark has a special meaning. Returns `nil` if no word contains a letter or digit.
    static func expression(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
            .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .prefix(longestQuery)
        guard !words.isEmpty else { return nil }
        return words.map { word in
            // A zero character would end the query in SQLite.
            let plain = word.filter { $0 != "\0" }.replacing("\"", with: "\"\"")
            return "\"\(plain)\"*"
        }.joined(separator: " AND ")
    }
}
