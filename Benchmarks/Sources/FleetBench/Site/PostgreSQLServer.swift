import BenchSupport
import Foundation

/// A PostgreSQL server of the distribution, in a folder of its own, on a Unix socket. It runs as an unprivileged user,
/// because PostgreSQL refuses to run as root, and ends with the benchmark.
final class PostgreSQLServer: FleetDatabase {
    /// The folder with the programs of the newest installed version; `nil` if there is none.
    static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).sorted(by: >).map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    /// The settings, which `--setting` can replace. Every commit is on the disk.
    private static let defaults = [
        "shared_buffers": "512MB", "max_wal_size": "4GB", "checkpoint_timeout": "15min", "max_connections": "50",
    ]

    private let programs: String
    private let folder: String
    private let shell: InteractiveProcess
    /// The identifier of the first process.
    private(set) var process: Int32 = 0

    var address: String { "postgresql://holdfast@/reports?host=\(folder)" }

    /// Creates a cluster and starts its server. Blocks the calling thread.
    init(in parent: String, settings: [String]) throws {
        guard let programs = Self.programs else {
            throw BenchFailure("PostgreSQL is not installed in /usr/lib/postgresql: apt-get install postgresql")
        }
        var template = Array((parent + "/hfpg-XXXXXX").utf8CString)
        // The path of a Unix socket has at most 107 bytes.
        guard template.count < 90, mkdtemp(&template) != nil else {
            throw BenchFailure("cannot create a folder in \(parent); its path must also be short")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.programs = programs
        var values = Self.defaults
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw BenchFailure("--setting must be NAME=VALUE, not \(setting)") }
            values[parts[0]] = parts[1]
        }
        values["listen_addresses"] = ""
        values["unix_socket_directories"] = folder
        let options = values.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        let command = try Self.unprivileged(["/bin/sh", "-c", Self.script, "sh", programs, folder] + options, folder)
        shell = try InteractiveProcess(command[0], Array(command.dropFirst()))
        guard try shell.ask() == "ready" else { throw BenchFailure("initdb failed") }
        try start()
        _ = try psql("CREATE DATABASE reports", in: "postgres")
    }

    /// Creates the cluster, and then starts the server with each line of its input. When the input ends, the server
    /// ends, and its data is removed.
    private static let script = """
        bin=$1 dir=$2 pid=
        shift 2
        "$bin/initdb" -D "$dir/data" -U holdfast --auth=trust -E UTF8 --locale=C </dev/null >"$dir/initdb.log" 2>&1 ||
            { cat "$dir/initdb.log" >&2; exit 1; }
        echo ready
        while read -r command; do
            [ -z "$pid" ] || wait "$pid"
            "$bin/postgres" -D "$dir/data" "$@" </dev/null >>"$dir/log" 2>&1 &
            pid=$!
            echo "$pid"
        done
        [ -z "$pid" ] || { kill -INT "$pid"; wait "$pid"; }
        rm -rf "$dir/data"
        """

    /// Returns a command that runs as the user `postgres` or `nobody` if this process runs as root.
    private static func unprivileged(_ command: [String], _ folder: String) throws -> [String] {
        guard getuid() == 0 else { return command }
        guard let user = getpwnam("postgres") ?? getpwnam("nobody") else {
            throw BenchFailure("there is neither the user postgres nor the user nobody")
        }
        let (owner, group) = (user.pointee.pw_uid, user.pointee.pw_gid)
        guard chown(folder, owner, group) == 0 else { throw BenchFailure("chown failed (\(errno))") }
        return ["/usr/bin/setpriv", "--reuid=\(owner)", "--regid=\(group)", "--clear-groups"] + command
    }

    // MARK: Processes

    /// Starts the server and waits until it answers. It recovers first.
    func start() throws {
        guard let process = Int32(try shell.ask("start")) else { throw BenchFailure("the server did not start") }
        self.process = process
        try Polling.wait("for PostgreSQL", seconds: 300) {
            guard ProcessTree.isRunning(process) else {
                let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
                throw BenchFailure("PostgreSQL ended:\n\(log.suffix(2_000))")
            }
            return (try? ChildProcess.output(of: programs + "/pg_isready", ["-q", "-h", folder])) != nil
        }
    }

    /// The first process and its children.
    var processes: [Int32] { [process] + ProcessTree.children(of: process) }

    /// Kills the first process and all its children with SIGKILL, and waits for their end. Returns their number.
    func kill() throws -> Int {
        // Stopped, the first process cannot start further ones or repair what the end of one has left.
        let first = process
        ProcessTree.send(SIGSTOP, to: first)
        let all = processes
        for process in all { ProcessTree.send(SIGKILL, to: process) }
        try Polling.wait("for the end of PostgreSQL", seconds: 30) { !all.contains(where: ProcessTree.isRunning) }
        return all.count
    }

    /// Ends the server and removes its folder.
    func end() {
        shell.end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    // MARK: Statements

    func execute(_ sql: String) throws { _ = try psql(sql, in: "reports") }

    func pairs(_ sql: String) throws -> [(text: String, number: Int64)] {
        try psql(sql, in: "reports").split(separator: "\n").map { line in
            let columns = line.split(separator: "|", omittingEmptySubsequences: false)
            guard columns.count == 2, let number = Int64(columns[1]) else { throw BenchFailure("an odd row: \(line)") }
            return (String(columns[0]), number)
        }
    }

    func size() throws -> Int64 { try number("SELECT pg_database_size('reports')") }

    private func psql(_ sql: String, in database: String) throws -> String {
        let options = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "holdfast", "-d", database]
        return try ChildProcess.output(of: programs + "/psql", options + ["-c", sql])
    }
}
