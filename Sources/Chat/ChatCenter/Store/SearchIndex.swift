import ChatCenterCore
import ChatWire
import GRDB

/// The full-text index over the texts of messages (FTS5): in the database, or, where the database is sealed, in a database in
/// memory that ``SQLiteChatReader`` fills with the first search, since it costs the opening of every row.
///
/// Words are what Unicode calls letters and digits; case and diacritics do not count.
///
/// Words that come in wait, see ``takeWaiting(in:_:)``; words that go away go at once.
struct SearchIndex {
    /// The most words of a query that are looked for. More find no less: each word narrows what is found.
    static let longestQuery = 32
    /// So many messages may wait to be taken in when a commit ends that somebody waits for.
    static let mostWaiting = 512
    /// So many messages may wait to be taken in when any other commit ends.
    static let mostWaitingAtLeisure = 32
    /// The table's kind. Prefixes of one letter to eight have an index of their own: out of it come the newest messages at
    /// once, while for a longer prefix FTS5 first joins the lists of all messages with all words that begin so. Few words
    /// do, but most messages may hold one of them.
    static let shape =
        "fts5(words, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5 6 7 8')"
    /// So many messages are taken in by one transaction.
    static let mostAtOnce = 50

    /// Whether the table is missing, or is one that an earlier version made otherwise.
    func isOutdated(_ db: Database) throws -> Bool {
        let table = try String.fetchOne(
            db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'messageText'")
        return table?.hasSuffix(Self.shape) != true
    }

    /// Makes the table anew, and takes in every message.
    func rebuild(_ db: Database, _ codec: RowCodec) throws {
        try removeAll(in: db)
        try fill(db, from: db, codec)
    }

    private func makeTable(_ db: Database) throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE messageText USING \(Self.shape)")
        // The places of messages that are not in the index yet.
        try db.execute(sql: "CREATE TABLE waitingText (place INTEGER PRIMARY KEY)")
        // From this version on a deleted word is taken out of the index at once instead of being marked.
        if try Self.knowsSecureDelete(db) {
            try db.execute(
                sql: "INSERT INTO messageText (messageText, rank) VALUES ('secure-delete', 1)")
        }
    }

    private static func knowsSecureDelete(_ db: Database) throws -> Bool {
        let version = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        return !numbers.lexicographicallyPrecedes([3, 42])
    }

    /// Takes in every message of a database, which may be another than that of the index.
    func fill(_ db: Database, from messages: Database, _ codec: RowCodec) throws {
        let rows = try Row.fetchCursor(messages, sql: "SELECT * FROM message ORDER BY place")
        while let row = try rows.next() {
            let message = try MessageRow(row: row).message(codec)
            try write(Self.text(of: message), at: try row.decode(forColumn: "place"), in: db)
        }
    }

    /// Takes in the messages at these places of a database, in place of what was known of them.
    func update(_ places: Set<Int64>, in db: Database, from messages: Database, _ codec: RowCodec) throws {
        for place in places {
            try db.cachedStatement(sql: "DELETE FROM messageText WHERE rowid = ?").execute(arguments: [place])
            let row = try Self.row(at: place, messages)
            // One that is damaged can be neither shown nor found.
            guard let message = try? row?.message(codec) else { continue }
            try write(Self.text(of: message), at: place, in: db)
        }
    }

    /// What of a message can be found. A deleted one cannot.
    static func text(of message: StoredMessage) -> String {
        guard message.content.modified != .deleted else { return "" }
        return message.searchableText.replacing("\0", with: " ")
    }

    /// Notes what of a message can be found from now on. It is taken in later, with others: alone it costs as much as the
    /// message itself, and at times the merge of a part of the index.
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

    /// How many messages are to be taken in.
    func waiting(in db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT COUNT(*) FROM waitingText")) ?? 0
    }

    /// Takes in messages that wait, all of them or some.
    func takeWaiting(in db: Database, _ codec: RowCodec, atMost limit: Int = .max) throws {
        let places = try Int64.fetchAll(
            db, sql: "SELECT place FROM waitingText ORDER BY place LIMIT ?", arguments: [limit])
        for place in places {
            let row = try Self.row(at: place, db)
            // One that was damaged meanwhile can be neither shown nor found; whoever shows it hears so.
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

    /// Forgets the words of messages that are not there any more.
    func removeOrphans(in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM messageText WHERE rowid NOT IN (SELECT place FROM message)")
    }

    /// Forgets every word. The table is made anew: what is only deleted would stay in it until a merge.
    func removeAll(in db: Database) throws {
        try drop(in: db)
        try makeTable(db)
    }

    private func drop(in db: Database) throws {
        try db.execute(
            sql: "DROP TABLE IF EXISTS messageText; DROP TABLE IF EXISTS waitingText")
    }

    /// The places of the messages that hold a word that begins with each word of the query, the newest first.
    func places(_ query: SearchQuery, in db: Database) throws -> [Int64] {
        guard query.limit > 0, let expression = Self.expression(query.text) else { return [] }
        let newest = try db.cachedStatement(
            sql: "SELECT rowid FROM messageText WHERE messageText MATCH ? ORDER BY rowid DESC LIMIT ?")
        return try Int64.fetchAll(newest, arguments: [expression, query.limit])
    }

    /// What was found at these places of a database.
    static func hits(at places: [Int64], in messages: Database, _ codec: RowCodec) throws -> [SearchHit] {
        let hits = try places.compactMap { place in try row(at: place, messages)?.hit(codec) }
        return hits.sorted { $0.position > $1.position }
    }

    /// A query of FTS5 out of a person's words. Each is a quoted string, in which nothing but the quotation mark means
    /// anything, and a prefix. `nil` if no word has a letter or digit.
    static func expression(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
            .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .prefix(longestQuery)
        guard !words.isEmpty else { return nil }
        return words.map { word in
            // A zero would end the query where SQLite reads it.
            let plain = word.filter { $0 != "\0" }.replacing("\"", with: "\"\"")
            return "\"\(plain)\"*"
        }.joined(separator: " AND ")
    }
}
