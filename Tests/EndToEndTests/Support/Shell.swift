import Foundation

/// Runs commands in the machine's shell.
enum Shell {
    /// Whether openssl is installed in a usual place.
    static let hasOpenSSL = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .contains { FileManager.default.isExecutableFile(atPath: $0) }

    /// Returns the standard output of a command, without surrounding white space.
    static func output(of command: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
