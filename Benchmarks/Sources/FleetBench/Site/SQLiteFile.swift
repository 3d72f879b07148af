import Foundation
import GRDB

/// A SQLite file of a collector that does not run at the moment.
struct SQLiteFile: FleetDatabase {
    let address: String

    /// Runs `body` with a connection that is not durable, and closes it.
    func with<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: address)
        let value = try queue.writeWithoutTransaction(body)
        try queue.close()
        return value
    }

    func execute(_ sql: String) throws {
        try with { try $0.execute(sql: sql) }
    }

    func pairs(_ sql: String) throws -> [(text: String, number: Int64)] {
        try with { try Row.fetchAll($0, sql: sql).map { ($0[0], $0[1]) } }
    }

    func size() throws -> Int64 {
        try with { database in
            _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return try pages * (Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }
}
