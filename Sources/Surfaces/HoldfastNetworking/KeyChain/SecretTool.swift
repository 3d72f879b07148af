#if os(Linux)
import Dispatch
import Foundation
import HoldfastTrust
import Synchronization

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Runs `secret-tool`. Blocks the calling thread.
struct SecretTool: Sendable {
    private let path: String
    private let patience: DispatchTimeInterval

    /// A tool at this path, for which this long is waited.
    init(path: String, patience: DispatchTimeInterval = .seconds(120)) {
        self.path = path
        self.patience = patience
    }

    /// Looks through the absolute folders of a search path: one that is not depends on where the process happens to be.
    init(searching path: String?) throws(SecretServiceError) {
        let folders = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let tool = folders.map { $0 + "/secret-tool" }.first { access(String($0), X_OK) == 0 }
        guard let tool else { throw SecretServiceError(.toolMissing, "There is no secret-tool in PATH.") }
        self.init(path: String(tool))
    }

    /// What the tool writes to its output; `nil` where it says by its status, and no word, that there is nothing.
    func run(_ arguments: [String], input: [UInt8]) throws(SecretServiceError) -> [UInt8]? {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try Self.filled(input)
        let (output, complaint) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaint
        do {
            try process.run()
        } catch {
            throw SecretServiceError(.toolMissing, "\(Printable.text(path)) cannot be started.")
        }
        let watchdog = Watchdog(process)
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { watchdog.bark() }
        // One after the other: the tool writes to one of the two, and less than a pipe takes.
        let written = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        let complained = (try? complaint.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        if watchdog.leave() {
            throw SecretServiceError(.timedOut, "secret-tool did not end in time.")
        }
        if process.terminationReason == .exit, process.terminationStatus == 0 { return Array(written) }
        if process.terminationReason == .exit, process.terminationStatus == 1, complained.isEmpty { return nil }
        throw SecretServiceError(
            .failed,
            "secret-tool ended with \(process.terminationStatus): \(Printable.text(complained.prefix(200)))")
    }

    /// A pipe that holds the input and ends behind it: nobody has to write while the tool reads, or gets a signal when it does
    /// not.
    private static func filled(_ input: [UInt8]) throws(SecretServiceError) -> Pipe {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(writer, F_GETFL)
        guard flags >= 0, fcntl(writer, F_SETFL, flags | O_NONBLOCK) == 0,
            input.withUnsafeBytes({ write(writer, $0.baseAddress, $0.count) }) == input.count
        else { throw SecretServiceError(.failed, "The value cannot be handed to secret-tool.") }
        try? pipe.fileHandleForWriting.close()
        return pipe
    }
}

/// Ends a process that takes too long.
private final class Watchdog: Sendable {
    private let state: Mutex<(process: Process?, hasBarked: Bool)>

    init(_ process: Process) {
        state = Mutex((process, false))
    }

    /// Ends the process, unless it was said that it has ended. It inherits the signals that the threads of the pool block, and
    /// those that ask politely are among them.
    func bark() {
        state.withLock { state in
            guard let process = state.process, process.isRunning else { return }
            state.hasBarked = kill(process.processIdentifier, SIGKILL) == 0
        }
    }

    /// The process has ended. Whether it was made to.
    func leave() -> Bool {
        state.withLock { state in
            state.process = nil
            return state.hasBarked
        }
    }
}
#endif
