import ChatCenterCore
import ChatWire
import GRDB

/// The full-text index over the texts of messages (FTS5): in the database, or, where the database is sealed, in memory.
///
/// Words are what Unicode calls letters and digits; case and diacritics do not count. One in memory is empty until
/// ``fill(_:in:)``, since it costs the opening of every row.
struct SearchIndex {
    /// The most words of a query that are looked for. More find no less: each word narrows what is found.
    static let longestQuery = 32
    /// The name of the schema that the table lies in.
    private let schema: String
    /// Whether the index follows the messages. One in memory does so once it was asked for.
    private(set) var isLive: Bool

    private init(schema: String, isLive: Bool) {
        self.schema = schema
        self.isLive = isLive
    }

    /// An index inside of the database.
    static let stored = SearchIndex(schema: "main", isLive: true)
    /// An index in memory.
    static let inMemory = SearchIndex(schema: "search", isLive: false)

    var isStored: Bool { schema == "main" }

    /// Makes the table, unless it is there. Returns whether it was made now, and has to be filled.
    ///
    /// Prefixes of one to three letters have an index of their own: they match the most words.
    mutating func prepare(_ db: Database) throws -> Bool {
        if !isStored { try db.execute(sql: "ATTACH ':memory:' AS search") }
        let exists = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM \(schema).sqlite_schema WHERE name = 'messageText')")
        guard exists != true else { return false }
        try makeTable(db)
        return isStored
    }

    private func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE \(schema).messageText USING fts5(
                    words, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
                """)
        // From this version on a deleted word is taken out of the index at once instead of being marked.
        if try Self.knowsSecureDelete(db) {
            try db.execute(
                sql: "INSERT INTO \(schema).messageText (messageText, rank) VALUES ('secure-delete', 1)")
        }
    }

    private static func knowsSecureDelete(_ db: Database) throws -> Bool {
        let version = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        return !numbers.lexicographicallyPrecedes([3, 42])
    }

    /// Takes in every message, and follows from then on.
    mutating func fill(_ db: Database, _ codec: RowCodec) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM message ORDER BY place")
        while let row = try rows.next() {
            let message = try MessageRow(row: row).message(codec)
            try write(Self.text(of: message), at: try row.decode(forColumn: "place"), in: db)
        }
        isLive = true
    }

    /// What of a message can be found. A deleted one cannot.
    static func text(of message: StoredMessage) -> String {
        guard message.content.modified != .deleted else { return "" }
        return message.searchableText.replacing("\0", with: " ")
    }

    func save(_ text: String, at place: Int64, in db: Database) throws {
        guard isLive else { return }
        let known = try String.fetchOne(
            db, sql: "SELECT words FROM \(schema).messageText WHERE rowid = ?", arguments: [place])
        guard known != text else { return }
        if known != nil { try remove(place, in: db) }
        try write(text, at: place, in: db)
    }

    private func write(_ text: String, at place: Int64, in db: Database) throws {
        guard !text.isEmpty else { return }
        try db.execute(
            sql: "INSERT INTO \(schema).messageText (rowid, words) VALUES (?, ?)", arguments: [place, text])
    }

    func remove(_ place: Int64, in db: Database) throws {
        guard isLive else { return }
        try db.execute(sql: "DELETE FROM \(schema).messageText WHERE rowid = ?", arguments: [place])
    }

    /// Forgets the words of messages that are not there any more.
    func removeOrphans(in db: Database) throws {
        guard isLive else { return }
        try db.execute(
            sql: "DELETE FROM \(schema).messageText WHERE rowid NOT IN (SELECT place FROM main.message)")
    }

    /// Forgets every word. The table is made anew: what is only deleted would stay in it until a merge.
    func removeAll(in db: Database) throws {
        try db.execute(sql: "DROP TABLE IF EXISTS \(schema).messageText")
        try makeTable(db)
    }

    /// The messages that hold a word that begins with each word of the query, the newest first.
    func search(_ query: SearchQuery, in db: Database, _ codec: RowCodec) throws -> [SearchHit] {
        guard query.limit > 0, let expression = Self.expression(query.text) else { return [] }
        let places = try Int64.fetchAll(
            db,
            sql: "SELECT rowid FROM \(schema).messageText WHERE messageText MATCH ? ORDER BY rowid DESC LIMIT ?",
            arguments: [expression, query.limit])
        let hits = try places.compactMap { place in
            try MessageRow.fetchOne(db, sql: "SELECT * FROM message WHERE place = ?", arguments: [place])?.hit(codec)
        }
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
