#if PostgreSQL

import HoldfastTrust
import PostgreSQLClient
import Testing

@testable import PinReportCollector

/// The client with a real server.
@Suite(
    "PostgreSQL client", .enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped), .timeLimit(.minutes(2)))
struct PostgreSQLClientTests {
    /// Runs `body` with a client of an empty database.
    private func with(
        limits: PostgreSQLClient.Limits = .init(), _ body: (PostgreSQLClient) async throws -> Void
    ) async throws {
        try await PostgreSQLServer.with(
            PostgreSQLServer.shared.value.newDatabase(), limits: limits, body)
    }

    @Test func valuesHaveTheirTypes() async throws {
        try await with { client async throws in
            let row = try await client.run { connection throws(PostgreSQLError) in
                try connection.run(
                    PostgreSQLStatement(
                        "values",
                        """
                        SELECT $1, $2, $3, $4, $5, $6[1], $6[2], $6[3], $7[1], $7[2], $8[1], $8[2],
                            cardinality($9::bigint[]), (-7)::smallint
                        """,
                        [
                            .integer(.min), .integer(nil), .text("é\n"), .text(nil), .bytes([0, 255]),
                            .integers([1, nil, -1]), .texts([nil, ""]), .byteStrings([[], [9]]), .integers([]),
                        ]))
            }.first
            let found = try #require(row)
            #expect(try found.integer(0) == .min)
            #expect(try found.optionalInteger(1) == nil)
            #expect(try found.text(2) == "é\n")
            #expect(try found.optionalText(3) == nil)
            #expect(try found.bytes(4) == [0, 255])
            #expect(try found.integer(5) == 1)
            #expect(try found.optionalInteger(6) == nil)
            #expect(try found.integer(7) == -1)
            #expect(try found.optionalText(8) == nil)
            #expect(try found.text(9) == "")
            #expect(try found.bytes(10) == [])
            #expect(try found.bytes(11) == [9])
            #expect(try found.integer(12) == 0)
            #expect(try found.integer(13) == -7)
            // Another type, a null and a missing column are errors.
            #expect(throws: PostgreSQLError.self) { try found.integer(2) }
            #expect(throws: PostgreSQLError.self) { try found.text(3) }
            #expect(throws: PostgreSQLError.self) { try found.integer(99) }
        }
    }

    @Test func firstErrorOfAPipelineIsThrown() async throws {
        try await with { client async throws in
            do throws(PostgreSQLError) {
                _ = try await client.run { connection throws(PostgreSQLError) in
                    try connection.run([
                        .begin, PostgreSQLStatement("create", "CREATE TABLE a (b bigint)"),
                        PostgreSQLStatement("divide", "SELECT 1 / $1", [.integer(0)]),
                        PostgreSQLStatement("never", "SELECT 1"), .commit,
                    ])
                }
                Issue.record("it ran")
            } catch {
                #expect(error.code == .refusedStatement)
                #expect(error.state == "22012")
            }
            // The transaction was rolled back, and the connection is usable.
            #expect(try await client.number("SELECT count(*) FROM pg_tables WHERE tablename = 'a'") == 0)
        }
    }

    @Test func largeAnswersAndParametersPass() async throws {
        try await with { client async throws in
            // Larger than the buffers of the socket in both directions, in one pipeline.
            let bytes = [UInt8](repeating: 7, count: 6 << 20)
            let rows = try await client.run { connection throws(PostgreSQLError) in
                let echo = PostgreSQLStatement("echo", "SELECT $1::bytea", [.bytes(bytes)])
                return try connection.run([echo, echo, echo])
            }
            #expect(try rows.count == 3 && rows[2].first?.bytes(0) == bytes)
        }
    }

    @Test func slowStatementEndsAtTheDeadline() async throws {
        try await with { client async throws in
            do throws(PostgreSQLError) {
                try await client.run(within: .milliseconds(300)) { connection throws(PostgreSQLError) in
                    try connection.simple("SELECT pg_sleep(60)")
                }
                Issue.record("it ended")
            } catch {
                #expect(error.code == .timedOut)
            }
            // The server notices the closed session, long before its own limit of the statement.
            let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND state = 'active' "
            while try await client.number(sleeping + "AND pid <> pg_backend_pid()") != 0 {}
        }
    }

    @Test func cancelledTaskEndsTheStatement() async throws {
        try await with { client async throws in
            let begun = AsyncStream.makeStream(of: Void.self)
            let call = Task {
                try await client.run(within: .seconds(60)) { connection throws(PostgreSQLError) in
                    begun.continuation.yield()
                    try connection.simple("SELECT pg_sleep(60)")
                }
            }
            for await _ in begun.stream { break }
            call.cancel()
            await #expect { try await call.value } throws: { ($0 as? PostgreSQLError)?.code == .cancelled }
            #expect(try await client.number("SELECT 1::bigint") == 1)
        }
    }

    @Test func callsBeyondTheLimitAreRefused() async throws {
        var limits = PostgreSQLClient.Limits()
        limits.connections = 1
        limits.waiting = 1
        try await with(limits: limits) { client async throws in
            let release = Flag()
            let begun = AsyncStream.makeStream(of: Void.self)
            let first = Task {
                try await client.run { (connection) throws(PostgreSQLError) in
                    begun.continuation.yield()
                    release.wait()
                }
            }
            for await _ in begun.stream { break }
            let others = (0..<2).map { _ in Task { try await client.number("SELECT 1::bigint") } }
            // One of the two waits, the other one is refused at once.
            var results: [Result<Int64?, any Error>] = []
            await withTaskGroup(of: Result<Int64?, any Error>.self) { group in
                for other in others { group.addTask { await other.result } }
                for await result in group {
                    results.append(result)
                    release.set()
                }
            }
            #expect(results.filter { if case .success(1) = $0 { true } else { false } }.count == 1)
            #expect(
                results.filter {
                    if case .failure(let error as PostgreSQLError) = $0 { error.code == .busy } else { false }
                }.count == 1)
            try await first.value
        }
    }

    @Test func lostConnectionIsReplaced() async throws {
        try await with { client async throws in
            _ = try await client.number("SELECT 1::bigint")
            do throws(PostgreSQLError) {
                try await client.run { connection throws(PostgreSQLError) in
                    try connection.simple("SELECT pg_terminate_backend(pg_backend_pid())")
                }
                Issue.record("the session survived")
            } catch {
                #expect(error.code == .connectionLost)
            }
            #expect(try await client.number("SELECT 1::bigint") == 1)
            await client.close()
            await #expect { try await client.number("SELECT 1::bigint") } throws: {
                ($0 as? PostgreSQLError)?.code == .closed
            }
        }
    }

    @Test func commitsWaitForTheDisk() async throws {
        let url = try await PostgreSQLServer.shared.value.newDatabase()
        // Whatever the default of the database is.
        try await PostgreSQLServer.with(url) { client async throws in
            _ = try await client.run { connection throws(PostgreSQLError) in
                try connection.simple(
                    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', "
                        + "current_database()); END $$")
            }
        }
        try await PostgreSQLServer.with(url) { client async throws in
            #expect(try await client.number("SELECT (current_setting('synchronous_commit') = 'on')::int::bigint") == 1)
        }
    }

    @Test func unreachableServerIsAnError() async throws {
        let address = try PostgreSQLAddress(url: "postgresql:///reports?host=/no/such/folder&password=secret-word")
        let client = PostgreSQLClient(address)
        do throws(PostgreSQLError) {
            _ = try await client.run { (connection) throws(PostgreSQLError) in 1 }
            Issue.record("connected")
        } catch {
            #expect(error.code == .unreachable)
            #expect(!error.description.contains("secret-word"))
        }
        await client.close()
    }
}

#endif
