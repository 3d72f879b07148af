import ChatCenterCore
import ChatWire
import Foundation
import GRDB
import Testing

@testable import ChatCenter

/// The full-text index beyond the contract of stores.
@Suite struct SearchIndexTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(key: ChatStorageKey? = nil) -> SQLiteChatStore {
        SQLiteChatStore(folder: StoreUnderTest.userFolder(in: folder, key: key), errors: ErrorTable())
    }

    private func commit(_ texts: String..., to store: SQLiteChatStore) throws {
        let changes = texts.enumerated().map { index, text in
            StoreChange.saveMessage(Sample.received("m\(index)", at: Int64(index), text: text))
        }
        try store.commit(StoreTransaction(user: "client", changes: changes))
    }

    private func find(_ text: String, in store: SQLiteChatStore) throws -> [String] {
        try store.search(SearchQuery(text: text, limit: 100)).map(\.id.text)
    }

    @Test(
        "diacritics do not count, composed or not",
        arguments: ["Zürich", "zurich", "ZU\u{308}RICH", "zür"], [nil, StoreUnderTest.key])
    func diacritics(query: String, key: ChatStorageKey?) throws {
        let store = store(key: key)
        try commit("Grüße aus Zürich", "Grüße aus Zu\u{308}rich", "Zulu", to: store)
        #expect(try find(query, in: store) == ["m1", "m0"])
    }

    @Test(
        "what a person types is never read as a query language",
        arguments: [
            ("cat\" OR \"dog", nil), ("cat*", "\"cat*\"*"), ("a AND b", "\"a\"* AND \"AND\"* AND \"b\"*"),
            ("say \"hi\"", "\"say\"* AND \"\"\"hi\"\"\"*"), ("-- ; ' \" * ( ) ^ :", nil), ("   \n\t ", nil),
            ("c\0at", "\"cat\"*"),
        ])
    func expression(text: String, expected: String?) {
        if let expected {
            #expect(SearchIndex.expression(text) == expected)
        } else if text.contains("cat") {
            #expect(SearchIndex.expression(text) == "\"cat\"\"\"* AND \"OR\"* AND \"\"\"dog\"*")
        } else {
            #expect(SearchIndex.expression(text) == nil)
        }
    }

    @Test("a query has a bounded number of words")
    func longQuery() throws {
        let text = (0..<500).map { "w\($0)" }.joined(separator: " ")
        let expression = try #require(SearchIndex.expression(text))
        #expect(expression.components(separatedBy: " AND ").count == SearchIndex.longestQuery)
        let store = store()
        try commit("w0 w1", to: store)
        #expect(try find(text, in: store).isEmpty)
        #expect(try find(String(repeating: "x", count: 100_000), in: store).isEmpty)
    }

    @Test("a database from before the index gets one, and keeps its messages")
    func migration() throws {
        let userFolder = StoreUnderTest.userFolder(in: folder)
        try userFolder.prepare()
        let messages = (0..<5).map { Sample.received("m\($0)", at: Int64($0 / 2), text: "old word \($0)") }
        try DatabaseQueue(path: userFolder.database.path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1');
                    CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE message (id TEXT NOT NULL PRIMARY KEY, serverID TEXT, time INTEGER NOT NULL,
                        sequence INTEGER NOT NULL, record BLOB NOT NULL, isQueued INTEGER NOT NULL, words TEXT NOT NULL);
                    CREATE INDEX messageByPosition ON message (time, sequence);
                    CREATE TABLE attachment (id TEXT NOT NULL PRIMARY KEY, record BLOB NOT NULL);
                    """)
            for message in messages {
                try db.execute(
                    sql: "INSERT INTO message VALUES (?, NULL, ?, 0, ?, 0, 'old word')",
                    arguments: [message.id.text, message.position.time, Data(message.record.bytes)])
            }
        }
        let store = store()
        #expect(try Set(store.restore(window: 10).messages.map(\.id)) == Set(messages.map(\.id)))
        #expect(try find("old", in: store).count == 5)
        #expect(try find("old 4", in: store) == ["m4"])
        try commit("new", to: store)
        #expect(try find("new", in: store) == ["m0"])
    }
}
