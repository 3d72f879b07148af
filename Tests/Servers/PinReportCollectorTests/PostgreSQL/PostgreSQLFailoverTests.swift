#if PostgreSQL

import HoldfastSystem
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector
@testable import PostgreSQLClient

/// Several hosts in one URL. A host that vanishes without an answer must not take the time of the others.
@Suite(
    "PostgreSQL failover", .enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped),
    .timeLimit(.minutes(2)))
struct PostgreSQLFailoverTests {
    /// A socket that accepts connections, and never answers.
    private final class BlackHole {
        let directory: TemporaryDirectory
        private let descriptor: Int32

        init() throws {
            directory = try TemporaryDirectory()
            descriptor = socket(AF_UNIX, SystemCalls.streamSocket, 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let path = Array((directory.path + "/.s.PGSQL.5432").utf8)
            try #require(path.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            try #require(isBound && listen(descriptor, 16) == 0, "\(errno)")
        }

        deinit { _ = close(descriptor) }
    }

    /// Returns the URL of a database whose first host does not respond.
    private func url(_ hole: BlackHole, _ parameters: String = "") async throws -> String {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        return url.replacing("?host=", with: "?host=\(hole.directory.path),") + parameters
    }

    /// Returns the duration of a call.
    private static func time(_ client: PostgreSQLClient) async throws -> Duration {
        let start = ContinuousClock.now
        let number = try await client.number("SELECT 1::bigint")
        #expect(number == 1)
        return start.duration(to: .now)
    }

    /// libpq itself would wait for the first host until the end of the call.
    @Test func aSilentHostTakesOnlyItsShare() async throws {
        let hole = try BlackHole()
        var limits = PostgreSQLClient.Limits()
        limits.callTime = .seconds(6)
        try await PostgreSQLServer.with(url(hole), limits: limits) { client async throws in
            let first = try await Self.time(client)
            #expect(first >= .seconds(3))
            // The next connection begins with the host that answered: the session of the first call is lost.
            do throws(PostgreSQLError) {
                try await client.run { connection throws(PostgreSQLError) in
                    try connection.simple("SELECT pg_terminate_backend(pg_backend_pid())")
                }
                Issue.record("the session survived")
            } catch {
                #expect(error.code == .connectionLost)
            }
            let second = try await Self.time(client)
            #expect(second < .seconds(3))
        }
    }

    @Test func theTimeForAHostCanBeSet() async throws {
        let hole = try BlackHole()
        try await PostgreSQLServer.with(url(hole, "&connect_timeout=1")) { client async throws in
            let time = try await Self.time(client)
            // The share would be 7.5 seconds.
            #expect(time >= .seconds(1) && time < .seconds(7))
        }
    }

    /// With only the silent host, the call fails at its own time limit.
    @Test func onlySilentHostsEndAtTheDeadline() async throws {
        let hole = try BlackHole()
        let folder = hole.directory.path
        let client = PostgreSQLClient(
            try PostgreSQLAddress(url: "postgresql://holdfast@/reports?host=\(folder),\(folder)"))
        let clock = ContinuousClock()
        let time = await clock.measure {
            do throws(PostgreSQLError) {
                _ = try await client.run(within: .seconds(2)) { (connection) throws(PostgreSQLError) in 1 }
                Issue.record("connected")
            } catch {
                #expect(error.code == .timedOut)
            }
        }
        #expect(time >= .seconds(2))
        await client.close()
    }

    /// The store works through the second host.
    @Test func aStoreUsesTheSecondHost() async throws {
        let hole = try BlackHole()
        let store = try await PostgreSQLServer.store(url(hole, "&connect_timeout=1"))
        #expect(try await store.add(Sample.shared.get().incoming(1)) == .stored(1))
        #expect(await store.isReady())
        await store.close()
    }

    @Test func sessionsEndTheirStatementsWithTheClient() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        try await PostgreSQLServer.with(url) { client async throws in
            let setting = "SELECT (current_setting('client_connection_check_interval') = '1s')::int::bigint"
            #expect(try await client.number(setting) == 1)
        }
    }

    // MARK: Addresses

    private func hosts(_ url: String) throws -> [[String: String]] {
        try PostgreSQLAddress(url: url, environment: { _ in nil }).hosts.map {
            Dictionary(uniqueKeysWithValues: $0.map { ($0.keyword, $0.value) })
        }
    }

    @Test func eachHostHasItsOwnParameters() throws {
        let found = try hosts("postgresql://c@a.example:5433,b.example,192.0.2.1:5434/r")
        #expect(found.map { $0["host"] } == ["a.example", "b.example", "192.0.2.1"])
        #expect(found.map { $0["port"] } == ["5433", nil, "5434"])
        #expect(found.allSatisfy { $0["sslmode"] == "verify-full" && $0["target_session_attrs"] == "read-write" })
        let addresses = try hosts("postgresql://c@a.example,b.example/r?hostaddr=192.0.2.1,192.0.2.2&port=5433")
        #expect(addresses.map { $0["hostaddr"] } == ["192.0.2.1", "192.0.2.2"])
        #expect(addresses.map { $0["port"] } == ["5433", "5433"])
        #expect(try hosts("postgresql://c@a.example/r").count == 1)
    }

    @Test(arguments: [
        "postgresql://c@a,b,c/r?port=1,2", "postgresql://c@a,b/r?hostaddr=192.0.2.1",
        "postgresql://c@a,b,c,d,e,f,g,h,i/r",
    ])
    func listsOfOtherLengthsAreRefused(_ url: String) {
        #expect { try hosts(url) } throws: { ($0 as? PostgreSQLError)?.code == .invalidURL }
    }
}

#endif
