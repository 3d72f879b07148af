import Foundation
import Synchronization

/// A child process that answers requests line by line.
package final class InteractiveProcess: Sendable {
    /// An error for a process that has ended or closed its output.
    package struct OutputClosed: Error {}

    private struct State {
        var process: Process
        var unread = Data()
    }

    private let state: Mutex<State>
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the program.
    package init(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        state = Mutex(State(process: process))
    }

    /// Starts another run of this program.
    package convenience init(own arguments: [String]) throws {
        try self.init(ChildProcess.ownPath, arguments)
    }

    /// The process identifier.
    package var processID: Int32 { state.withLock { $0.process.processIdentifier } }

    /// Writes a line, if there is one, and returns the next line of the output. Blocks the calling thread.
    package func ask(_ line: String? = nil) throws -> String {
        if let line { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }
        return try state.withLock { state in
            while true {
                if let end = state.unread.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { state.unread = Data(state.unread[(end + 1)...]) }
                    return String(decoding: state.unread[..<end], as: UTF8.self)
                }
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { throw OutputClosed() }
                state.unread += more
            }
        }
    }

    /// Kills the program with `SIGKILL` and waits for its end.
    package func endAbruptly() {
        _ = kill(processID, SIGKILL)
        state.withLock { $0.process.waitUntilExit() }
    }

    /// Closes the input of the program, which makes it exit, and waits for its end.
    package func end() {
        try? input.fileHandleForWriting.close()
        state.withLock { $0.process.waitUntilExit() }
    }
}
