import Foundation
import Synchronization

/// A program that answers line by line.
package final class Dialogue: Sendable {
    /// The program has ended, or said nothing more.
    package struct Silent: Error {}

    private struct State {
        var process: Process
        var unread = Data()
    }

    private let state: Mutex<State>
    private let input = Pipe()
    private let output = Pipe()

    /// Starts it.
    package init(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        state = Mutex(State(process: process))
    }

    /// Its number.
    package var processID: Int32 { state.withLock { $0.process.processIdentifier } }

    /// Says a line, if one is given, and waits for the answer. Blocks the calling thread.
    package func ask(_ line: String? = nil) throws -> String {
        if let line { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }
        return try state.withLock { state in
            while true {
                if let end = state.unread.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { state.unread = Data(state.unread[(end + 1)...]) }
                    return String(decoding: state.unread[..<end], as: UTF8.self)
                }
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { throw Silent() }
                state.unread += more
            }
        }
    }

    /// Closes its input, which it takes for the end, and waits until it has ended.
    package func end() {
        try? input.fileHandleForWriting.close()
        state.withLock { $0.process.waitUntilExit() }
    }
}
