import Foundation

/// A collector with its database, in a temporary folder.
final class Stage {
    let engine: Engine
    let database: any FleetDatabase
    /// The database server; `nil` for SQLite.
    let server: PostgreSQLServer?
    let collector: CollectorProcess
    private let folder: URL?

    /// Runs `body` with a new collector and an empty database, and removes both. Blocks the calling thread.
    static func with<Value>(_ options: StageOptions, _ body: (Stage) throws -> Value) throws -> Value {
        let stage = try Stage(options)
        defer { stage.end() }
        return try body(stage)
    }

    private init(_ options: StageOptions) throws {
        engine = options.engine
        switch options.engine {
        case .sqlite:
            let folder = URL(fileURLWithPath: options.folder).appendingPathComponent("holdfast-fleetbench-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            (self.folder, server) = (folder, nil)
            database = SQLiteFile(address: folder.appendingPathComponent("reports.sqlite").path)
        case .postgresql:
            let server = try PostgreSQLServer(in: options.folder, settings: options.setting)
            (folder, self.server) = (nil, server)
            database = server
        }
        do {
            collector = try CollectorProcess(options.program, database: database.address)
        } catch {
            server?.end()
            if let folder { try? FileManager.default.removeItem(at: folder) }
            throw error
        }
    }

    private func end() {
        collector.kill()
        server?.end()
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }
}
