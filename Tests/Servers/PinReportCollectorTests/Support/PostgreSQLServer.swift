#if PostgreSQL

import Foundation
import HoldfastSystem
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOPosix
import PostgreSQLClient
import Synchronization

@testable import PinReportCollector

/// A PostgreSQL server of the distribution in a temporary folder. It listens on a Unix socket, and on 127.0.0.1 if it
/// has a certificate. It ends with the process of the tests.
final class PostgreSQLServer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder with the programs of the newest installed version; `nil` if there is none.
    static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).sorted(by: >).map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    /// The message of skipped tests.
    static let skipped: String = "PostgreSQL is not installed in /usr/lib/postgresql: apt-get install postgresql"

    /// The server that most tests share. Each of them uses a database of its own.
    static let shared = Task { try await PostgreSQLServer.start() }

    private let folder: String
    private let input: FileHandle
    private let output: Pipe
    private let process: Process
    private let databases = Mutex(0)
    /// The TCP port, if the server has a certificate.
    let port: Int
    /// Keeps the TCP port from other servers until PostgreSQL listens, and between a crash and the next start.
    private let held: HeldPort?

    private init(programs: String, tls identity: Identity?) throws {
        var template = Array("/tmp/hfpg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "mkdtemp failed (\(errno))") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // PostgreSQL refuses to run as root.
        held = try identity.map { _ in try HeldPort(for: .program) }
        port = held.map { Int($0.number) } ?? 5_432
        var options = "-c listen_addresses='' -c unix_socket_directories=\(folder) -c port=\(port)"
        if let identity {
            options += " -c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file=\(folder)/server.pem"
            options += " -c ssl_key_file=\(folder)/server.key"
            try Data(identity.certificatePEM.utf8).write(to: URL(fileURLWithPath: folder + "/server.pem"))
            try Data(identity.privateKeyPEM.utf8).write(to: URL(fileURLWithPath: folder + "/server.key"))
            guard chmod(folder + "/server.key", 0o600) == 0 else { throw Failure(description: "chmod failed") }
        }
        var command = ["/bin/sh", "-c", Self.script, "sh", programs, folder, options]
        if getuid() == 0 {
            guard let user = getpwnam("postgres") ?? getpwnam("nobody") else {
                throw Failure(description: "there is neither the user postgres nor the user nobody")
            }
            let (owner, group) = (user.pointee.pw_uid, user.pointee.pw_gid)
            let files = identity == nil ? [""] : ["", "/server.pem", "/server.key"]
            guard files.allSatisfy({ [folder] in chown(folder + $0, owner, group) == 0 }) else {
                throw Failure(description: "chown failed (\(errno))")
            }
            let identity = ["--reuid=\(owner)", "--regid=\(group)", "--clear-groups"]
            command = ["/usr/bin/setpriv"] + identity + command
        }
        process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let input = Pipe()
        output = Pipe()
        self.input = input.fileHandleForWriting
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try expectReady()
    }

    /// Starts the server, and then obeys one command in each line. When the tests end, the input ends, and so does the
    /// server, whatever happened to the tests. Tests need no durability beyond that of the operating system.
    private static let script = """
        bin=$1 dir=$2 options=$3
        trap 'rm -rf "$dir"' EXIT
        {
            start() {
                "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -t 60 start -o \
        "$options -c fsync=off -c max_connections=200" ||
                    { cat "$dir/log"; return 1; }
            }
            "$bin/initdb" -D "$dir/data" -U holdfast --auth-local=trust --auth-host=scram-sha-256 \
        --no-sync -E UTF8 --locale=C && start
        } </dev/null >"$dir/start.log" 2>&1 || { cat "$dir/start.log" >&2; exit 1; }
        echo ready
        while read -r command; do
            case $command in
                crash) "$bin/pg_ctl" -D "$dir/data" -w -m immediate stop </dev/null >/dev/null 2>&1 ;;
                start) start </dev/null >/dev/null || exit 1 ;;
            esac
            echo ready
        done
        "$bin/pg_ctl" -D "$dir/data" -m immediate stop </dev/null >/dev/null 2>&1
        """

    /// Starts a server. The calling task suspends meanwhile.
    static func start(tls identity: Identity? = nil) async throws -> PostgreSQLServer {
        guard let programs else { throw Failure(description: skipped) }
        return try await NIOThreadPool.singleton.runIfActive {
            try PostgreSQLServer(programs: programs, tls: identity)
        }
    }

    private func expectReady() throws {
        guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n" else {
            throw Failure(description: "PostgreSQL did not start; its messages are in the output of the tests")
        }
    }

    /// Ends all processes of the server at once, without a checkpoint.
    func crash() async throws { try await command("crash\n") }

    /// Starts the server after ``crash()``. It recovers first.
    func restart() async throws { try await command("start\n") }

    private func command(_ line: String) async throws {
        try await NIOThreadPool.singleton.runIfActive {
            try self.input.write(contentsOf: Data(line.utf8))
            try self.expectReady()
        }
    }

    /// Ends the server. Only needed for a server that is not shared.
    func stop() {
        try? input.close()
        process.waitUntilExit()
    }

    /// The URL of a database.
    func url(_ database: String) -> String { "postgresql://holdfast@/\(database)?host=\(folder)&port=\(port)" }

    /// Creates an empty database and returns its URL.
    func newDatabase() async throws -> String {
        let name = "test_\(databases.withLock { count in count += 1; return count })"
        try await execute("CREATE DATABASE \(name)", in: "postgres")
        return url(name)
    }

    /// Runs a statement on a connection of its own.
    func execute(_ sql: String, in database: String) async throws {
        try await Self.execute(sql, at: url(database))
    }

    static func execute(_ sql: String, at url: String) async throws {
        try await with(url) { try await $0.run { connection throws(PostgreSQLError) in try connection.simple(sql) } }
    }

    /// Runs `body` with a client, and closes it.
    static func with<Value>(
        _ url: String, limits: PostgreSQLClient.Limits = .init(), _ body: (PostgreSQLClient) async throws -> Value
    ) async throws -> Value {
        let client = PostgreSQLClient(try PostgreSQLAddress(url: url), limits: limits)
        do {
            let value = try await body(client)
            await client.close()
            return value
        } catch {
            await client.close()
            throw error
        }
    }

    /// Opens a store at the time of the samples.
    static func store(_ url: String) async throws -> PostgreSQLReportStore {
        try await PostgreSQLReportStore.open(url: url, at: Sample.time, entropy: { 0 })
    }
}

extension PostgreSQLClient {
    /// Returns the number in the first column of the first row.
    func number(_ sql: String) async throws -> Int64? {
        try await run { connection throws(PostgreSQLError) in
            try connection.run(PostgreSQLStatement("", sql)).first?.integer(0)
        }
    }
}

#endif
