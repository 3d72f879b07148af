import Foundation

/// `holdfast serve collector` in a process of its own.
final class CollectorProcess {
    /// The token of readers.
    static let token = "fleet-bench-0123456789abcdef"

    private let program: String
    private let database: String
    private var process: Process?
    /// The port of 127.0.0.1.
    private(set) var port = 0

    /// Starts a collector. Blocks the calling thread until it listens.
    ///
    /// - Parameters:
    ///   - program: The path of `holdfast`.
    ///   - database: A file or the URL of a database.
    init(_ program: String, database: String) throws {
        self.program = program
        self.database = database
        try start()
    }

    /// The process identifier.
    var processID: Int32 { process?.processIdentifier ?? 0 }

    /// Starts the collector on a free port. The load generator makes all requests from few addresses, and no report may
    /// be removed.
    func start() throws {
        port = try FreePort.find()
        let arguments = [
            "serve", "collector", "--port", "\(port)", "--database", database, "--per-minute", "0", "--keep",
            "1000000000", "--keep-bytes", "1000000000000000",
        ]
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["HOLDFAST_COLLECTOR_TOKEN"] = Self.token
        process.environment = environment
        // It prints a line for each report.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw BenchFailure("\(program) does not start: swift build -c release --product holdfast")
        }
        self.process = process
        try Polling.wait("for the collector", seconds: 120) {
            guard process.isRunning else {
                throw BenchFailure("the collector ended: \(([program] + arguments).joined(separator: " "))")
            }
            return FreePort.isInUse(port)
        }
    }

    /// Kills the collector with SIGKILL.
    func kill() {
        guard let process else { return }
        ProcessTree.send(SIGKILL, to: process.processIdentifier)
        process.waitUntilExit()
        self.process = nil
    }

    /// Stops the collector gracefully; after 30 seconds with SIGKILL.
    func stop() {
        guard let process else { return }
        process.terminate()
        try? Polling.wait("for the end of the collector", seconds: 30) { !process.isRunning }
        kill()
    }
}
