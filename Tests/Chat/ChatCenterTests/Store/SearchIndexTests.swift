import ChatCenterCore
import ChatWire
import Foundation
import GRDB
import Testing

@testable import ChatCenter

/// Tests of the full-text index beyond the common contract of the stores.
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
        "diacritics are ignored, composed or decomposed",
        arguments: ["Zürich", "zurich", "ZU\u{308}RICH", "zür"], [nil, StoreUnderTest.key])
    func diacritics(query: String, key: ChatStorageKey?) throws {
        let store = store(key: key)
        try commit("Grüße aus Zürich", "Grüße aus Zu\u{308}rich", "Zulu", to: store)
        #expect(try find(query, in: store) == ["m1", "m0"])
    }

    @Test(
        "user input is never interpreted as query syntax",
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

    @Test("the number of words in a query is limited")
    func longQuery() throws {
        let text = (0..<500).map { "w\($0)" }.joined(separator: " ")
        let expression = try #require(SearchIndex.expression(text))
        #expect(expression.components(separatedBy: " AND ").count == SearchIndex.longestQuery)
        let store = store()
        try commit("w0 w1", to: store)
        #expect(try find(text, in: store).isEmpty)
        #expect(try find(String(repeating: "x", count: 100_000), in: store).isEmpty)
    }

    @Test("a database from before the index is indexed and keeps its messages")
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
                        sequence INTEGER NOT NULL, record BLOB NOT NULL, isQueued INTEGER NOT NULL,
                        words TEXT NOT NULL);
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

    // MARK: Waiting messages

    private func waiting(in store: SQLiteChatStore) throws -> Int {
        try store.opened().read { db in try SearchIndex().waiting(in: db) }
    }

    private func commit(_ message: StoredMessage, to store: SQLiteChatStore) throws {
        try store.commit(StoreTransaction(user: "client", changes: [.saveMessage(message)]))
    }

    @Test("a message that waits for indexing is found at once, also in the next run")
    func waiting() throws {
        let store = store()
        try commit(Sample.own("m0", at: 0, .queued(Sample.entry(0), deadline: nil), text: "patience"), to: store)
        #expect(try waiting(in: store) == 1)
        #expect(try find("pat", in: store) == ["m0"])
        #expect(try waiting(in: store) == 0)
        try commit(Sample.own("m1", at: 1, .queued(Sample.entry(1), deadline: nil), text: "patient"), to: store)
        let next = self.store()
        #expect(try waiting(in: next) == 1)
        #expect(try find("pat", in: next) == ["m1", "m0"])
    }

    @Test("a message that changes while it waits for indexing is found by its current text")
    func changedWhileWaiting() throws {
        let store = store()
        try commit("first", "second", "third", to: store)
        #expect(try waiting(in: store) == 3)
        try commit(Sample.received("m0", at: 0, text: "other"), to: store)
        var takenBack = Sample.received("m1", at: 1, text: "second")
        takenBack.content.modified = .deleted
        try commit(takenBack, to: store)
        try store.commit(StoreTransaction(user: "client", changes: [.removeMessage(MessageID("m2"))]))
        #expect(try find("first", in: store).isEmpty)
        #expect(try find("second", in: store).isEmpty)
        #expect(try find("third", in: store).isEmpty)
        #expect(try find("other", in: store) == ["m0"])
    }

    @Test("the commit that changes or removes a message removes its old words from the index")
    func wordsGoAtOnce() throws {
        let store = store()
        try commit("walrus", "zebra", to: store)
        #expect(try find("walrus", in: store) == ["m0"])
        try commit(Sample.received("m0", at: 0, text: "other"), to: store)
        try store.commit(StoreTransaction(user: "client", changes: [.removeMessage(MessageID("m1"))]))
        let words = try store.opened().read { db in
            try String.fetchAll(db, sql: "SELECT words FROM messageText")
        }
        #expect(words.isEmpty)
        #expect(try find("other", in: store) == ["m0"])
    }

    /// Commits messages that wait to be sent.
    private func queue(_ numbers: Range<Int>, in store: SQLiteChatStore) throws {
        let changes = numbers.map { number in
            let delivery = Delivery.queued(Sample.entry(Int64(number)), deadline: nil)
            return StoreChange.saveMessage(Sample.own("m\(number)", at: Int64(number), delivery, text: "word"))
        }
        try store.commit(StoreTransaction(user: "client", changes: changes))
    }

    @Test("the number of waiting messages is limited, with a higher limit for sending")
    func boundedWaiting() throws {
        let store = store()
        let most = SearchIndex.mostWaiting
        try queue(0..<most - 1, in: store)
        #expect(try waiting(in: store) == most - 1)
        try queue(most - 1..<most, in: store)
        #expect(try waiting(in: store) == 0)
        let few = SearchIndex.mostWaitingAtLeisure
        try queue(most..<most + few, in: store)
        #expect(try waiting(in: store) == few)
        try commit(Sample.own("m0", at: 0, .sent, text: "word"), to: store)
        #expect(try waiting(in: store) == 0)
        #expect(try store.search(SearchQuery(text: "wor", limit: 1000)).count == most + few)
    }

    @Test("a message that is damaged while it waits does not prevent writing or searching")
    func damagedWhileWaiting() throws {
        let store = store()
        try commit("first", "second", to: store)
        try store.opened().write { db in
            try db.execute(sql: "UPDATE message SET record = x'00' WHERE id = 'm0'")
        }
        #expect(try find("second", in: store) == ["m1"])
        #expect(try find("first", in: store).isEmpty)
    }

    // MARK: Table definition

    @Test(
        "a word is found by each of its prefixes, newest message first",
        arguments: ["representations", "достопримечательность"], [nil, StoreUnderTest.key])
    func everyPrefix(word: String, key: ChatStorageKey?) throws {
        let store = store(key: key)
        try commit("a \(word)", "another", "\(word), again", to: store)
        for length in 1...word.count {
            #expect(try find(String(word.prefix(length)), in: store) == ["m2", "m0"])
        }
        #expect(try find(word + "x", in: store).isEmpty)
    }

    @Test("an index with another definition is rebuilt with all messages")
    func reshaped() throws {
        try commit("walrus", "zebra", to: store())
        let path = StoreUnderTest.userFolder(in: folder).database.path
        try DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    DROP TABLE messageText;
                    DROP TABLE waitingText;
                    CREATE VIRTUAL TABLE messageText USING fts5(words, prefix = '1 2 3');
                    """)
        }
        let store = store()
        #expect(try find("walrus", in: store) == ["m0"])
        try commit(Sample.received("m2", at: 2, text: "walnut"), to: store)
        #expect(try find("wal", in: store) == ["m2", "m0"])
        let shape = try store.opened().read { db in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'messageText'")
        }
        #expect(shape?.contains("prefix = '1 2 3 4 5 6 7 8'") == true)
    }
}
