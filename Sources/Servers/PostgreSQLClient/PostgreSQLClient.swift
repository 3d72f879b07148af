#if PostgreSQL

import NIOPosix
import Synchronization

/// A pool of connections to one database. libpq blocks, so each connection is used on one of the pool's own threads and
/// never on the cooperative pool.
///
/// Connections are made when they are needed. A connection that fails is closed, and the next call makes a new one.
package final class PostgreSQLClient: Sendable {
    /// The limits of a client.
    package struct Limits: Hashable, Sendable {
        /// The number of connections and of threads. Further calls wait.
        package var connections = 4
        /// The maximum number of calls that wait for a connection.
        ///
        /// - Error: `PostgreSQLError.Code.busy`
        package var waiting = 256
        /// The time limit of a call, with the time for a new connection.
        ///
        /// - Error: `PostgreSQLError.Code.timedOut`
        package var callTime = Duration.seconds(15)

        /// Creates limits with the defaults.
        package init() {}
    }

    private struct Pool {
        var idle: [PostgreSQLConnection] = []
        var calls = 0
        var isClosed = false
    }

    private let address: PostgreSQLAddress
    private let limits: Limits
    private let threads: NIOThreadPool
    private let pool = Mutex(Pool())
    /// The host of the last connection that was made. It is tried first.
    private let lastHost = Mutex(0)
    /// The longest time for a host while there are others to try.
    private static let hostTime = Duration.seconds(10)

    /// Creates a client. Does not connect yet.
    package init(_ address: PostgreSQLAddress, limits: Limits = Limits()) {
        self.address = address
        self.limits = limits
        threads = NIOThreadPool(numberOfThreads: max(1, limits.connections))
        threads.start()
    }

    deinit {
        // A client that was never closed still has its threads.
        threads.shutdownGracefully { _ in }
    }

    /// Runs `body` with a connection on a thread of the pool. `body` ends its own transactions; a transaction that is
    /// open after an error is rolled back.
    ///
    /// If the task is cancelled, the call ends and its session is closed, which also ends the statement on the server.
    ///
    /// - Parameter time: The time limit of the call; the client's own limit if `nil`.
    package func run<Value: Sendable>(
        within time: Duration? = nil,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) async throws(PostgreSQLError) -> Value {
        try pool.withLock { pool throws(PostgreSQLError) in
            guard !pool.isClosed else { throw Self.closed }
            guard pool.calls < limits.connections + limits.waiting else {
                throw PostgreSQLError(.busy, "Too many calls wait for the database.")
            }
            pool.calls += 1
        }
        defer { pool.withLock { $0.calls -= 1 } }
        let deadline = ContinuousClock.now.advanced(by: time ?? limits.callTime)
        let cancellation = PostgreSQLCancellation()
        do {
            return try await withTaskCancellationHandler {
                try await threads.runIfActive { try self.call(until: deadline, cancellation, body) }
            } onCancel: {
                cancellation.cancel()
            }
        } catch let error as PostgreSQLError {
            throw error
        } catch is CancellationError {
            throw PostgreSQLError(.cancelled, "The database call was cancelled.")
        } catch {
            throw Self.closed
        }
    }

    /// Runs `body` up to three times, while the error is transient. `body` must be a single transaction that may be
    /// repeated, because a lost connection leaves open whether it was committed.
    package func runRepeatable<Value: Sendable>(
        within time: Duration? = nil,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) async throws(PostgreSQLError) -> Value {
        for _ in 0..<2 {
            do throws(PostgreSQLError) {
                return try await run(within: time, body)
            } catch {
                guard error.isTransient else { throw error }
            }
        }
        return try await run(within: time, body)
    }

    /// Closes all connections after the running calls. Later calls throw ``PostgreSQLError/Code/closed``.
    package func close() async {
        pool.withLock { $0.isClosed = true }
        try? await threads.shutdownGracefully()
        pool.withLock { $0.idle = [] }
    }

    private static var closed: PostgreSQLError { PostgreSQLError(.closed, "The database client is closed.") }

    /// Runs on a thread of the pool.
    private func call<Value>(
        until deadline: ContinuousClock.Instant, _ cancellation: PostgreSQLCancellation,
        _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) throws(PostgreSQLError) -> Value {
        let connection = try connection(until: deadline, cancellation)
        guard connection.begin(until: deadline, cancellation) else {
            keep(connection)
            throw PostgreSQLError(.cancelled, "The database call was cancelled.")
        }
        defer {
            // After this, no other thread writes to the connection's pipe.
            cancellation.end()
            keep(connection)
        }
        do throws(PostgreSQLError) {
            return try body(connection)
        } catch {
            connection.rollBackIfNeeded()
            // A restart of the server ends all sessions. Their next calls would fail, too. A server that does not
            // respond may have vanished: its other sessions would each need the whole time of a call to notice.
            let isSilent = error.code == .timedOut && connection.hasFailed
            if error.code == .connectionLost || error.code == .unreachable || isSilent {
                pool.withLock { $0.idle = [] }
            }
            throw error
        }
    }

    private func connection(
        until deadline: ContinuousClock.Instant, _ cancellation: PostgreSQLCancellation
    ) throws(PostgreSQLError) -> PostgreSQLConnection {
        if let idle = pool.withLock({ $0.idle.popLast() }) { return idle }
        let (count, first) = (address.hosts.count, lastHost.withLock { $0 })
        var failure = PostgreSQLError(.unreachable, "The database has no host.")
        for step in 0..<count {
            let host = (first + step) % count
            do throws(PostgreSQLError) {
                let connection = try PostgreSQLConnection(
                    address, host: host, deadline: self.deadline(forOneOf: count - step, until: deadline),
                    cancellation: cancellation, sessionSettings: sessionSettings)
                lastHost.withLock { $0 = host }
                return connection
            } catch {
                guard error.code != .cancelled else { throw error }
                // A host that does not respond is not a slow statement: another attempt may find it, or another host.
                failure = error.code == .timedOut ? PostgreSQLError(.unreachable, Self.silence) : error
            }
            guard ContinuousClock.now < deadline else { throw PostgreSQLError(.timedOut, Self.silence) }
        }
        throw failure
    }

    private static let silence = "The database did not answer a new connection in time."

    /// Returns the time until which one of the remaining hosts may take: its share of the time of the call.
    private func deadline(forOneOf hosts: Int, until deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        let left = now.duration(to: deadline)
        let share = hosts > 1 ? min(left / hosts, Self.hostTime) : left
        return now.advanced(by: min(share, address.connectTime ?? share))
    }

    private func keep(_ connection: PostgreSQLConnection) {
        guard connection.isReusable else { return }
        pool.withLock { pool in
            guard !pool.isClosed, pool.idle.count < limits.connections else { return }
            pool.idle.append(connection)
        }
    }

    /// The server ends a statement, a statement without a client, and a transaction without a client by itself. A
    /// commit waits for the disk, whatever the server's default is.
    ///
    /// Not every platform of a server can check for a client, so that a refusal of this setting is ignored.
    private var sessionSettings: String {
        let seconds = max(1, limits.callTime.components.seconds)
        return """
            SET synchronous_commit = on; SET statement_timeout = '\(seconds)s'; SET lock_timeout = '\(seconds)s';
            SET idle_in_transaction_session_timeout = '\(seconds * 2)s';
            DO $$ BEGIN SET client_connection_check_interval = '1s'; EXCEPTION WHEN OTHERS THEN NULL; END $$
            """
    }
}

#endif
