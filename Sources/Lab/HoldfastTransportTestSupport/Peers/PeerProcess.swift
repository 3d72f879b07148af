import Dispatch
import Foundation
import NIOCore
import NIOPosix

/// A program that runs during a test. ``stop()`` ends it.
package final class PeerProcess: Sendable {
    private let process: Process
    private let output: FileHandle

    /// Starts the program at `path`.
    package init(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        self.process = process
        self.output = pipe.fileHandleForReading
    }

    /// Whether the program is running.
    package var isRunning: Bool { process.isRunning }

    /// Returns the first line of its output. Servers print their port there.
    package func firstLine() async -> String {
        await blocking {
            var bytes: [UInt8] = []
            while bytes.last != 0x0A, let byte = try? self.output.read(upToCount: 1)?.first { bytes.append(byte) }
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
    }

    /// Returns the rest of its output, up to its end.
    package func rest() async -> String {
        await blocking { String(decoding: (try? self.output.readToEnd()) ?? Data(), as: UTF8.self) }
    }

    /// Kills the program. SIGTERM would not work: a program that was started from a thread of Swift's pool may have
    /// inherited it as blocked.
    package func stop() {
        kill(process.processIdentifier, SIGKILL)
    }

    private func blocking<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}

/// An installed program that is the other end in a test. If it is missing, the test is skipped and says so.
package enum PeerProgram: String, Sendable {
    case nginx, haproxy, python3, curl, openssl, tinyproxy, microsocks

    /// The path of the program; `nil` if it is not installed. `HOLDFAST_PYTHON` replaces the first Python in `PATH`.
    package var path: String? {
        if self == .python3, let path = ProcessInfo.processInfo.environment["HOLDFAST_PYTHON"], !path.isEmpty {
            return path
        }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        // Servers are often installed in folders that only root's PATH contains.
        return (folders + ["/usr/bin", "/usr/sbin", "/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"])
            .map { "\($0)/\(rawValue)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether the program is installed.
    package var isInstalled: Bool { path != nil }

    /// Starts the program. Its standard output can be read.
    package func start(_ arguments: [String]) throws -> PeerProcess {
        guard let path else { throw PeerMissing() }
        return try PeerProcess(path, arguments)
    }

    /// Runs the program to its end. Returns its exit code and its standard output.
    ///
    /// If `quiet` is true, the output is discarded: a server that goes into the background would keep it open.
    package func run(_ arguments: [String], quiet: Bool = false) async throws -> (status: Int32, output: String) {
        guard let path else { throw PeerMissing() }
        // A shell reports the exit code. Foundation's own way waits for all processes that inherited the program's
        // files.
        let script = quiet ? "\"$@\" >/dev/null 2>&1; echo $?" : "\"$@\" 2>/dev/null; code=$?; echo; echo $code"
        let process = try PeerProcess("/bin/sh", ["-c", script, "sh", path] + arguments)
        var lines = await process.rest().split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard let status = lines.popLast().flatMap({ Int32($0) }) else { throw PeerMissing() }
        return (status, lines.joined(separator: "\n"))
    }
}

/// An error for a program that is not installed or does not start.
package struct PeerMissing: Error {
    package init() {}
}

/// Ports for programs that need a fixed port.
package enum PeerPort {
    /// Waits until the port accepts connections. Returns `false` if the program ends, or after 30 seconds.
    private static func listens(_ port: UInt16, _ process: PeerProcess) async -> Bool {
        for _ in 0..<3_000 {
            let attempt = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: Int(port))
            if let channel = try? await attempt.get() {
                try? await channel.close()
                // If the program has ended, another program listens on the port.
                return process.isRunning
            }
            guard process.isRunning else { return false }
            try? await Task.sleep(for: .milliseconds(10))  // reason: the program does not report when it listens
        }
        process.stop()
        return false
    }

    /// Starts a server that needs a fixed port, and returns when it listens. The port is held until then, so that no
    /// other server gets it. Tries up to five ports.
    ///
    /// - Throws: ``PeerMissing`` if the server does not start.
    package static func start(
        _ start: (UInt16) async throws -> PeerProcess
    ) async throws -> (PeerProcess, UInt16) {
        for _ in 0..<5 {
            let held = try HeldPort(for: .program)
            defer { held.free() }
            let process = try await start(held.number)
            if await listens(held.number, process) { return (process, held.number) }
        }
        throw PeerMissing()
    }
}
