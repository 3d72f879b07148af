import Dispatch
import Foundation

/// A program that runs beside a test. It ends with ``stop()``.
package final class PeerProcess: Sendable {
    private let process: Process
    private let output: FileHandle

    /// Starts a program.
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

    /// Whether it has not ended.
    package var isRunning: Bool { process.isRunning }

    /// The first line that it prints: servers tell their port so.
    package func firstLine() async -> String {
        await blocking {
            var bytes: [UInt8] = []
            while bytes.last != 0x0A, let byte = try? self.output.read(upToCount: 1)?.first { bytes.append(byte) }
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
    }

    /// All that it still prints, up to its end.
    package func rest() async -> String {
        await blocking { String(decoding: (try? self.output.readToEnd()) ?? Data(), as: UTF8.self) }
    }

    /// Ends it. Not by SIGTERM, which a program started from a thread of Swift's pool may have inherited as blocked.
    package func stop() {
        kill(process.processIdentifier, SIGKILL)
    }

    private func blocking<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}
