import ChatServerCore
import ChatWire
import GRDB
import Testing

@testable import ChatDevServer

@Suite("Store")
struct StoreTests {
    private static func message(_ sequence: Int64, clientID: String = "alice") -> ServerMessage {
        ServerMessage(
            sequence: sequence, clientID: clientID, messageID: "m\(sequence)", uuid: "u\(sequence)",
            isFromClient: sequence % 2 == 0, sentAt: 1_000 + sequence, status: .delivered,
            content: Content(
                .message, uuid: "u\(sequence)", operator: Operator(id: "1", name: "Vera"), text: "Text \"\(sequence)\"",
                attachments: [Attachment(result: "f", name: "a.png", size: 3, state: .ready)]))
    }

    @Test("Written data is restored in order")
    func roundTrip() throws {
        let store = try ChatServerStore(path: nil)
        let alice = ClientRecord(
            clientID: "alice", name: "Alice", data: ["k": .string("v")], locale: "en", hasOperator: true, threadID: 3,
            isThreadOpen: true)
        let bob = ClientRecord(clientID: "bob")
        let devices = ["a", "b"].map { DeviceRecord(address: $0, clientID: "alice", pushToken: "p" + $0) }
        let messages = (1...5).map { Self.message($0) }
        try store.commit(
            [.client(alice), .client(bob)] + devices.map { .device($0) } + messages.map { .message($0) })
        #expect(try store.restore() == ServerSnapshot(clients: [alice, bob], devices: devices, messages: messages))

        var renamed = alice
        renamed.name = nil
        var read = messages[4]
        read.status = .read
        read.content.text = "Changed"
        try store.commit([
            .client(renamed), .messageChanged(read), .messagesRemoved(clientID: "alice", through: 2),
            .deviceRemoved(address: "a"),
        ])
        #expect(
            try store.restore()
                == ServerSnapshot(
                    clients: [renamed, bob], devices: [devices[1]], messages: [messages[2], messages[3], read]))
    }

    @Test("The desk's assignments and notes are restored")
    func desk() throws {
        let store = try ChatServerStore(path: nil)
        let ada = DeskOperator(id: "ada", name: "Ada")
        let clients = ["alice", "bob"].map { ClientRecord(clientID: $0) }
        let assignments = clients.map { DeskAssignment(clientID: $0.clientID, operator: ada, since: 1) }
        let notes = (1...3).map { number in
            DeskNote(noteID: "n\(number)", clientID: "alice", author: ada, text: "<\(number)>", writtenAt: 5)
        }
        try store.commit(
            clients.map { .client($0) } + assignments.map { .desk(.assigned($0)) } + notes.map { .desk(.noted($0)) })
        #expect(try store.restore().desk == DeskSnapshot(assignments: assignments, notes: notes))
        var replaced = assignments[1]
        replaced.operator = DeskOperator(id: "ben", name: "Ben")
        try store.commit([.desk(.released(clientID: "alice")), .desk(.assigned(replaced))])
        #expect(try store.restore().desk == DeskSnapshot(assignments: [replaced], notes: notes))
        // A note's id is unique for each client.
        #expect(throws: ChatDevServerError.self) { try store.commit([.desk(.noted(notes[0]))]) }
    }

    @Test("A turn is written completely or not at all")
    func atomic() throws {
        let store = try ChatServerStore(path: nil)
        try store.commit([.client(ClientRecord(clientID: "alice"))])
        let error = #expect(throws: ChatDevServerError.self) {
            try store.commit([.message(Self.message(1)), .message(Self.message(1))])
        }
        #expect(error?.code == .databaseWriteFailed)
        #expect(try store.restore().messages.isEmpty)
    }

    @Test("Every commit is on the disk when it returns", arguments: [true, false])
    func synchronous(inMemory: Bool) throws {
        let directory = try TemporaryDirectory()
        let store = try ChatServerStore(path: inMemory ? nil : directory.file("chat.sqlite"))
        let full = 2
        #expect(try store.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == full)
    }

    @Test("Files that are not a database, and invalid paths, are refused")
    func unreadable() throws {
        let directory = try TemporaryDirectory()
        let paths = [
            try directory.write(Array("This is not a database, and long enough to be recognized.".utf8), to: "a.txt"),
            directory.file("missing/chat.sqlite"), directory.path, "", ":memory:",
        ]
        for path in paths {
            let error = #expect(throws: ChatDevServerError.self, "\(path)") { try ChatServerStore(path: path) }
            #expect(error?.code == .unreadableDatabase)
            #expect(error?.path == path)
        }
    }

    @Test("Another program's database is not changed")
    func foreign() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("foreign.sqlite")
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: "CREATE TABLE theirs (id INTEGER)") }
            try queue.close()
        }
        let error = #expect(throws: ChatDevServerError.self) { try ChatServerStore(path: path) }
        #expect(error?.code == .unreadableDatabase)
        let tables = try DatabaseQueue(path: path).read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        #expect(tables == ["theirs"])
    }

    @Test("A newer server's database is not changed")
    func newer() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("chat.sqlite")
        let store = try ChatServerStore(path: path)
        try store.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 the future')") }
        store.close()
        let error = #expect(throws: ChatDevServerError.self) { try ChatServerStore(path: path) }
        #expect(error?.code == .unreadableDatabase)
        #expect(error?.reason.contains("newer") == true)
    }

    @Test("Using a closed store is an error")
    func closed() throws {
        let store = try ChatServerStore(path: nil)
        store.close()
        store.close()
        let reading = #expect(throws: ChatDevServerError.self) { try store.restore() }
        #expect(reading?.code == .unreadableDatabase)
        let writing = #expect(throws: ChatDevServerError.self) { try store.commit([]) }
        #expect(writing?.code == .databaseWriteFailed)
    }

    @Test("A corrupt row is an error and is not skipped")
    func tampered() throws {
        let store = try ChatServerStore(path: nil)
        try store.commit([.client(ClientRecord(clientID: "alice")), .message(Self.message(1))])
        try store.write { try $0.execute(sql: "UPDATE message SET content = '{'") }
        let error = #expect(throws: ChatDevServerError.self) { try store.restore() }
        #expect(error?.code == .unreadableDatabase)
    }

    @Test("Only the owner can access a database, also an existing one")
    func modes() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("chat.sqlite")
        for _ in 0..<2 {
            let store = try ChatServerStore(path: path)
            try store.commit([.client(ClientRecord(clientID: "alice"))])
            #expect(directory.contents.count == 3)
            for name in directory.contents { #expect(try directory.mode(of: name) == 0o600, "\(name)") }
            store.close()
            for name in directory.contents { try directory.setMode(0o644, of: name) }
        }
    }
}
