#if PostgreSQL

import HoldfastTrust
import PostgreSQLClient
import Testing

@testable import PinReportCollector

/// The schema's versions, and databases of others.
@Suite(
    "PostgreSQL migrations", .enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped),
    .timeLimit(.minutes(2)))
struct PostgreSQLMigrationTests {
    private static func open(_ url: String, _ migrations: [PostgreSQLMigration]) async throws(ReportCollectorError) {
        let store = try await PostgreSQLReportStore.open(
            url: url, at: Sample.time, entropy: { 0 }, migrations: migrations)
        await store.close()
    }

    /// Migrates a database like an earlier version, which knew fewer migrations.
    private static func migrate(_ url: String, _ migrations: [PostgreSQLMigration]) async throws {
        try await PostgreSQLServer.with(url) { client in
            try await client.run { connection throws(PostgreSQLError) in
                try PostgreSQLMigration.migrate(connection, migrations)
            }.get()
        }
    }

    private static let nextVersion = Int64(PostgreSQLMigration.all.count + 1)

    private static let next =
        PostgreSQLMigration.all + [
            PostgreSQLMigration(
                version: nextVersion, sql: "ALTER TABLE incident ADD COLUMN note text; CREATE TABLE later (a int)")
        ]

    @Test func everyOlderVersionIsMigrated() async throws {
        for version in 0...PostgreSQLMigration.all.count {
            let url = try await PostgreSQLServer.shared.value.newDatabase()
            if version > 0 { try await Self.migrate(url, Array(PostgreSQLMigration.all.prefix(version))) }
            try await Self.open(url, Self.next)
            // The second start changes nothing.
            try await Self.open(url, Self.next)
            try await PostgreSQLServer.with(url) { client async throws in
                #expect(try await client.number("SELECT max(version) FROM schema_version") == Self.nextVersion)
                #expect(try await client.number("SELECT count(*) FROM schema_version") == Self.nextVersion)
                #expect(try await client.number("SELECT count(note) FROM incident") == 0)
            }
        }
    }

    /// Version 2 had identities with long digests, which were removed with their reports.
    @Test func identitiesOfEarlierVersionsStayKnown() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        try await Self.migrate(url, Array(PostgreSQLMigration.all.prefix(2)))
        let report = try Sample.shared.get().incoming(1, id: "A")
        func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        let name = hex(SHA256Hash(hashing: Array("id:A".utf8)).bytes)
        try await PostgreSQLServer.execute(
            """
            INSERT INTO report_identity VALUES
                ('\\x\(name)', '\\x\(hex(report.digest))', 7, \(Sample.time.secondsSince1970), \(Int64.max))
            """, at: url)
        let store = try await PostgreSQLServer.store(url)
        #expect(try await store.add(report) == .repeated(7))
        #expect(try await store.add(Sample.shared.get().incoming(2, id: "A")) == .conflicting)
        #expect(try await store.totals(at: Sample.time).identities == 1)
        guard case .stored = try await store.add(Sample.shared.get().incoming(1, id: "A", at: 8 * 86_400)) else {
            Issue.record("the identity has not expired")
            return
        }
        await store.close()
    }

    @Test func collectorsThatStartTogetherMigrateOnce() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try await Self.open(url, Self.next) } }
            try await group.waitForAll()
        }
        try await PostgreSQLServer.with(url) { client async throws in
            #expect(try await client.number("SELECT count(*) FROM schema_version") == Self.nextVersion)
        }
    }

    @Test func failedMigrationChangesNothing() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        let broken =
            PostgreSQLMigration.all + [
                PostgreSQLMigration(version: Self.nextVersion, sql: "CREATE TABLE later (a int); SELECT 1 / 0")
            ]
        await #expect(throws: ReportCollectorError.self) { try await Self.open(url, broken) }
        try await PostgreSQLServer.with(url) { client async throws in
            #expect(try await client.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0)
        }
        try await Self.open(url, PostgreSQLMigration.all)
    }

    @Test func newerAndForeignDatabasesAreRefused() async throws {
        let newer = try await PostgreSQLServer.shared.value.newDatabase()
        try await Self.open(newer, Self.next)
        let foreign = try await PostgreSQLServer.shared.value.newDatabase()
        try await PostgreSQLServer.execute("CREATE TABLE theirs (a int)", at: foreign)
        let similar = try await PostgreSQLServer.shared.value.newDatabase()
        try await PostgreSQLServer.execute(
            "CREATE TABLE schema_version (version bigint, program text); INSERT INTO schema_version VALUES (1, 'other')",
            at: similar)
        for url in [newer, foreign, similar] {
            do throws(ReportCollectorError) {
                try await Self.open(url, PostgreSQLMigration.all)
                Issue.record("opened")
            } catch {
                #expect(error.code == .unreadableDatabase)
            }
        }
        try await PostgreSQLServer.with(foreign) { client async throws in
            #expect(try await client.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 1)
        }
    }
}

#endif
