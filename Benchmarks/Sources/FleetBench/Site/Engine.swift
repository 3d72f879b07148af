import ArgumentParser

/// The database of the collector.
enum Engine: String, Codable, CaseIterable, Sendable, ExpressibleByArgument {
    case sqlite
    case postgresql

    var title: String { self == .sqlite ? "SQLite" : "PostgreSQL" }
}
