import Foundation

/// A program of the machine that is the other end in a test. Where it is not installed, the test is skipped and says so.
enum PeerProgram: String, Sendable {
    case nginx, python3, curl, openssl, tinyproxy, microsocks

    /// Where it is; `nil` where it is not installed.
    var path: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        // Servers are often where only root looks.
        return (folders + ["/usr/bin", "/usr/sbin", "/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"])
            .map { "\($0)/\(rawValue)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether it is installed.
    var isInstalled: Bool { path != nil }

    /// Starts it; the program's standard output can be read.
    func start(_ arguments: [String]) throws -> PeerProcess {
        guard let path else { throw MissingError() }
        return try PeerProcess(path, arguments)
    }

    /// Runs it to its end. Returns its exit code and its standard output.
    func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let process = try start(arguments)
        let output = await process.rest()
        return (await process.ended(), output)
    }
}
