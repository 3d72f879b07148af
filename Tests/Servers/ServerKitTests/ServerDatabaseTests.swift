import Foundation
import GRDB
import Testing

@testable import ServerKit

/// How every server handles its database.
@Suite("Server database")
struct ServerDatabaseTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
    private var path: String { folder.appendingPathComponent("server.sqlite").path }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: "CREATE TABLE fact (text TEXT NOT NULL) STRICT") }
        return migrator
    }

    private static func open(_ path: String?, applicationID: Int32 = 7) throws(TestError) -> ServerDatabase<TestError> {
        try ServerDatabase(
            path: path, label: "test", applicationID: applicationID, owner: "the test", migrator: migrator)
    }

    private func inFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body()
    }

    @Test("A commit is on the disk, foreign keys are enforced, and the log's size is limited")
    func pragmas() throws {
        try inFolder {
            let database = try Self.open(path)
            let values = try database.read { database in
                try ["synchronous", "journal_mode", "foreign_keys", "journal_size_limit", "application_id"].map {
                    try String.fetchOne(database, sql: "PRAGMA \($0)")
                }
            }
            #expect(values == ["2", "wal", "1", "16777216", "7"])
            database.close()
        }
        let inMemory = try Self.open(nil)
        #expect(try inMemory.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    }

    @Test("Only the owner can access a database's files, also those of an earlier version")
    func modes() throws {
        try inFolder {
            for _ in 0..<2 {
                let database = try Self.open(path)
                try database.write { try $0.execute(sql: "INSERT INTO fact VALUES ('a')") }
                for suffix in ["", "-wal", "-shm"] {
                    let mode = try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions]
                    #expect(mode as? Int == 0o600, "\(suffix)")
                }
                database.close()
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            }
        }
    }

    @Test(
        "Names that SQLite does not interpret as files are refused",
        arguments: ["", ":memory:", "file:a?mode=memory"])
    func names(_ path: String) throws {
        let error = #expect(throws: TestError.self) { try Self.open(path) }
        #expect(error?.failure.code == .unreadableDatabase)
        #expect(error?.failure.path == path)
    }

    @Test("A database of another program or of a newer server is not changed")
    func foreign() throws {
        try inFolder {
            let database = try Self.open(path)
            try database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('2')") }
            database.close()
            let newer = #expect(throws: TestError.self) { try Self.open(path) }
            #expect(newer?.failure.reason == "The database was created by a newer version of the test.")
            let other = #expect(throws: TestError.self) { try Self.open(path, applicationID: 8) }
            #expect(other?.failure.reason == "The database belongs to another program.")
            #expect(other?.failure.path == path)
        }
    }

    @Test("Errors contain neither a statement's values nor a row's")
    func errors() throws {
        struct Secret: Error {}
        let database = try Self.open(nil)
        let writing = #expect(throws: TestError.self) {
            try database.write { try $0.execute(sql: "INSERT INTO fact VALUES (?), (NULL)", arguments: ["s3cret"]) }
        }
        #expect(writing?.failure.code == .databaseWriteFailed)
        #expect(writing?.failure.reason.contains("s3cret") == false)
        let reading = #expect(throws: TestError.self) { try database.read { _ in throw Secret() } }
        #expect(reading?.failure.reason == "The database cannot be read.")
        database.close()
        #expect(throws: TestError.self) { try database.read { _ in } }
    }
}
