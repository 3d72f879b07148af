#if PostgreSQL

import HoldfastBase
import HoldfastTrust
import PinReports
import PostgreSQLClient
import Synchronization

/// The collectors' PostgreSQL database. Several collectors can share it; each report is stored and counted once.
final class PostgreSQLReportStore: ReportStore {
    /// The number of batches that the store commits at the same time. While one waits for the disk, the next one runs.
    static let concurrentBatches = 2

    /// What this collector knows about the size of the database. Other collectors add reports, too, so the numbers are
    /// read again with each expiry.
    struct Level: Hashable, Sendable {
        var reports: Int64 = 0
        var bytes: Int64 = 0
        var identities: Int64 = 0
    }

    /// The time limit of all migrations together.
    private static let migrationTime = Duration.seconds(600)

    let client: PostgreSQLClient
    /// The row of the totals to which this collector adds.
    let shard: Int64
    let level = Mutex(Level())
    /// The days that have a partition.
    let days = Mutex<Set<Int64>>([])

    private init(_ client: PostgreSQLClient, shard: Int64) {
        self.client = client
        self.shard = shard
    }

    /// Connects and brings the schema to the newest version.
    ///
    /// - Parameters:
    ///   - url: The URL of the database, as in `postgresql://user@host/database`.
    ///   - dangerouslyAllowsUnverifiedServer: Accepts the weaker `sslmode` or `channel_binding` of the URL.
    ///   - now: The time, for the first partitions.
    ///   - entropy: Random numbers, to choose the collector's own row of the totals.
    /// - Throws: ``ReportCollectorError``.
    static func open(
        url: String, dangerouslyAllowsUnverifiedServer: Bool = false, limits: PostgreSQLClient.Limits = .init(),
        at now: Timestamp, entropy: @Sendable () -> UInt64, migrations: [PostgreSQLMigration] = PostgreSQLMigration.all
    ) async throws(ReportCollectorError) -> PostgreSQLReportStore {
        let client: PostgreSQLClient
        do throws(PostgreSQLError) {
            let address = try PostgreSQLAddress(
                url: url, dangerouslyAllowsUnverifiedServer: dangerouslyAllowsUnverifiedServer)
            client = PostgreSQLClient(address, limits: limits)
        } catch {
            throw ReportCollectorError(error, writing: false)
        }
        let store = PostgreSQLReportStore(client, shard: Int64(entropy() % 16))
        do throws(ReportCollectorError) {
            let result = try await store.read(within: migrationTime) { connection throws(PostgreSQLError) in
                try PostgreSQLMigration.migrate(connection, migrations)
            }
            try result.get()
            try await store.makePartitions(around: now)
            _ = try await store.refreshLevel()
        } catch {
            await client.close()
            throw error
        }
        return store
    }

    func close() async { await client.close() }

    func isReady() async -> Bool {
        let answer = try? await client.runRepeatable(within: .seconds(5)) { connection throws(PostgreSQLError) in
            try connection.run(PostgreSQLStatement("ready", "SELECT 1::bigint")).count
        }
        return answer == 1
    }

    /// Runs a transaction that changes data. It may run more than once: a lost connection leaves open whether it was
    /// committed, and the identities of reports make a repetition harmless.
    func write<Value: Sendable>(
        within time: Duration? = nil,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) async throws(ReportCollectorError) -> Value {
        do throws(PostgreSQLError) {
            return try await client.runRepeatable(within: time, body)
        } catch {
            throw ReportCollectorError(error, writing: true)
        }
    }

    /// Runs statements that only read.
    func read<Value: Sendable>(
        within time: Duration? = nil,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) async throws(ReportCollectorError) -> Value {
        do throws(PostgreSQLError) {
            return try await client.runRepeatable(within: time, body)
        } catch {
            throw ReportCollectorError(error, writing: false)
        }
    }
}

extension ReportCollectorError {
    /// Creates the collector's error for a failure of the client.
    init(_ error: PostgreSQLError, writing: Bool) {
        let code: Code =
            switch error.code {
            case .unreachable, .refusedConnection, .unsupportedServer, .connectionLost: .unreachableDatabase
            case .invalidURL: .invalidConfiguration
            case .busy: .overloaded
            default: writing ? .databaseWriteFailed : .unreadableDatabase
            }
        self.init(code, Printable.text(error.reason), underlying: error)
    }
}

#endif
