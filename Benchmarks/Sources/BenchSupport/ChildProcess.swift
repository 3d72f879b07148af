import Foundation

/// Runs programs to their end.
package enum ChildProcess {
    package struct Failed: Error {
        package var program: String
        package var status: Int32
    }

    /// Returns the standard output of a program. Its error messages are dropped if `isQuiet` is set. Blocks the calling
    /// thread.
    package static func output(
        of program: String, _ arguments: [String], isQuiet: Bool = false
    ) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        if isQuiet { process.standardError = FileHandle.nullDevice }
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(program: program, status: process.terminationStatus)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The path of this program.
    package static var ownPath: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

    /// Returns the standard output of another run of this program. Blocks the calling thread.
    package static func ownOutput(_ arguments: [String]) throws -> String {
        try output(of: ownPath, arguments)
    }

    /// Returns the path of a program; `nil` if it is not installed.
    package static func path(of program: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
