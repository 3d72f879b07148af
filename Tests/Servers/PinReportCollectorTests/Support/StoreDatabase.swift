import Foundation

@testable import PinReportCollector

/// A database of a test that several stores or collectors open, one after the other. With PostgreSQL, also together.
struct StoreDatabase: Sendable {
    private let directory: TemporaryDirectory
    /// The URL of the PostgreSQL database; `nil` with SQLite.
    private let url: String?

    private var path: String { directory.path + "/reports.sqlite" }

    /// Creates an empty database.
    init(_ engine: StoreEngine) async throws {
        directory = try TemporaryDirectory()
        switch engine {
        case .sqlite: url = nil
        case .postgreSQL:
            #if PostgreSQL
            url = try await PostgreSQLServer.shared.value.newDatabase()
            #else
            throw ReportDatabaseURL.unsupported
            #endif
        }
    }

    private init(directory: TemporaryDirectory, url: String?) {
        self.directory = directory
        self.url = url
    }

    /// Opens a store, which the caller closes.
    func open() async throws -> any ReportStore {
        #if PostgreSQL
        if let url { return try await PostgreSQLServer.store(url) }
        #endif
        return try SQLiteReportStore(path: path)
    }

    /// Makes a collector use the database.
    func use(in configuration: inout ReportCollectorConfiguration) {
        configuration.databaseURL = url
        configuration.databasePath = url == nil ? path : nil
    }

    /// Returns the database as a killed process leaves it: its stores are not closed, and have made no checkpoint.
    func afterKill() throws -> StoreDatabase {
        guard url == nil else { return self }
        let left = try TemporaryDirectory()
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + ending, toPath: left.path + "/reports.sqlite" + ending)
        }
        return StoreDatabase(directory: left, url: nil)
    }
}
