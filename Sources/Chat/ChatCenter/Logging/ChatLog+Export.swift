import Foundation

extension ChatLog {
    /// Writes all log files to one file, oldest line first. Lines that are logged meanwhile wait. Blocks until it is
    /// done.
    func export(to file: URL) throws(ChatLogExportError) {
        writeKeptLines()
        let result = afterWriting { files in
            Result { () throws(ChatLogExportError) in try Self.export(files, to: file) }
        }
        guard let result else {
            throw ChatLogExportError(.loggingIsOff, "No log files exist, because the log level is off.")
        }
        try result.get()
    }

    private static func export(
        _ files: borrowing RollingLogFiles, to file: URL
    ) throws(ChatLogExportError) {
        let parts = files.existing()
        guard !parts.isEmpty else {
            throw ChatLogExportError(.nothingLogged, "The log is empty: no line has been logged yet.")
        }
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        if manager.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue {
            throw ChatLogExportError(.unusableDestination, "\(file.path) is a folder. Choose a file.")
        }
        guard !files.owns(file) else {
            throw ChatLogExportError(
                .unusableDestination, "\(file.path) is a log file, or has the name of one. Choose another name.")
        }
        do {
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Writes to a new file in the same folder that only its owner can read, then replaces the destination in
            // one step.
            let new = file.deletingLastPathComponent()
                .appendingPathComponent(".\(file.lastPathComponent).\(UUID().uuidString)")
            guard manager.createFile(atPath: new.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            do {
                try Self.join(parts, into: new)
                guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            } catch {
                try? manager.removeItem(at: new)
                throw error
            }
        } catch {
            throw ChatLogExportError(.files, "The log could not be exported: \(error)", underlying: error)
        }
    }

    private static func join(_ parts: [URL], into file: URL) throws {
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        for part in parts {
            let input = try FileHandle(forReadingFrom: part)
            defer { try? input.close() }
            while let bytes = try input.read(upToCount: 256 * 1024), !bytes.isEmpty {
                try output.write(contentsOf: bytes)
            }
        }
    }
}

/// The error of an export of the log.
///
/// - Remedy: Turn on logging, or choose another destination.
public struct ChatLogExportError: Error, CustomStringConvertible, Sendable {
    /// The kind of failure: stable, and safe as a metric label. More kinds may be added: compare with the constants,
    /// and handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The log level is ``ChatLogLevel/off``, so there are no files.
        public static let loggingIsOff = Code(rawValue: "loggingIsOff")
        /// No line has been written yet.
        public static let nothingLogged = Code(rawValue: "nothingLogged")
        /// The destination is a folder or a log file. It was not changed.
        public static let unusableDestination = Code(rawValue: "unusableDestination")
        /// A file could not be read or written.
        public static let files = Code(rawValue: "files")
    }

    /// The kind of failure.
    public var code: Code
    /// The reason as one sentence that can be shown to a person.
    public var reason: String
    /// The error of the file system, if any.
    public var underlying: (any Error)?

    init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }

    /// A textual description, for logs.
    public var description: String { "\(code.rawValue): \(reason)" }
}
