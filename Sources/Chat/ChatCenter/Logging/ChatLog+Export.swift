import Foundation
import Synchronization

extension ChatLog {
    /// Writes one file with everything that the log files hold, the oldest line first. Lines that come meanwhile wait.
    /// Blocks until it is done.
    func export(to file: URL) throws(ChatLogExportError) {
        writeKeptLines()
        let result = afterWriting { files in
            Result { () throws(ChatLogExportError) in try Self.export(files, to: file) }
        }
        guard let result else {
            throw ChatLogExportError(.loggingIsOff, "The log level is off: there are no log files.")
        }
        try result.get()
    }

    private static func export(
        _ files: borrowing RollingLogFiles, to file: URL
    ) throws(ChatLogExportError) {
        let parts = files.existing()
        guard !parts.isEmpty else {
            throw ChatLogExportError(.nothingLogged, "No line was logged yet.")
        }
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        if manager.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue {
            throw ChatLogExportError(.unusableDestination, "There is a folder at \(file.path).")
        }
        guard !files.owns(file) else {
            throw ChatLogExportError(
                .unusableDestination, "\(file.path) is a log file itself, or would be taken for one.")
        }
        do {
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Beside the place, for the owner's eyes before a byte is in it; what is there is replaced by a whole file.
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

/// The log could not be exported.
public struct ChatLogExportError: Error, CustomStringConvertible, Sendable {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The log level is ``ChatLogLevel/off``: no file is written.
        public static let loggingIsOff = Code(rawValue: "loggingIsOff")
        /// No line was written yet.
        public static let nothingLogged = Code(rawValue: "nothingLogged")
        /// The place is a folder, or a log file itself: nothing there was touched.
        public static let unusableDestination = Code(rawValue: "unusableDestination")
        /// A file could not be read or written.
        public static let files = Code(rawValue: "files")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// The error of the file system, where there was one.
    public var underlying: (any Error)?

    init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
