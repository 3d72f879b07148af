import Foundation

/// Runs commands of the machine's own shell.
enum Shell {
    /// Whether openssl is installed where distributions put it.
    static let hasOpenSSL = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .contains { FileManager.default.isExecutableFile(atPath: $0) }

    /// What a command prints on standard output, without white space at its ends.
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
