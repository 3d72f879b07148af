// `FileHandle` is not in FoundationEssentials.
import Foundation

/// A log file that is closed at a size and kept among a number of older ones: `chat.log`, `chat.1.log`, `chat.2.log` …
///
/// Nothing is opened before the first line. A folder that cannot be written switches the files off and is said once.
struct RollingLogFiles: ~Copyable {
    private let directory: URL
    private let fileByteCount: Int
    private let fileCount: Int
    private var handle: FileHandle?
    private var written = 0
    private var hasFailed = false

    init(directory: URL, fileByteCount: Int, fileCount: Int) {
        self.directory = directory
        self.fileByteCount = fileByteCount
        self.fileCount = fileCount
    }

    /// Appends a line. Returns the error that switched the files off, the first time.
    mutating func append(_ line: String) -> (any Error)? {
        guard !hasFailed else { return nil }
        do {
            let bytes = Data((line + "\n").utf8)
            if handle != nil, written + bytes.count > fileByteCount { try roll() }
            let handle = try openIfNeeded()
            if written > 0, written + bytes.count > fileByteCount {
                // A file of an earlier run that is full already.
                try roll()
                try openIfNeeded().write(contentsOf: bytes)
            } else {
                try handle.write(contentsOf: bytes)
            }
            written += bytes.count
            return nil
        } catch {
            hasFailed = true
            return error
        }
    }

    /// Deletes every log file.
    mutating func erase() {
        try? handle?.close()
        handle = nil
        written = 0
        for index in 0..<fileCount { try? FileManager.default.removeItem(at: url(index)) }
    }

    private func url(_ index: Int) -> URL {
        directory.appendingPathComponent(index == 0 ? "chat.log" : "chat.\(index).log")
    }

    private mutating func openIfNeeded() throws -> FileHandle {
        if let handle { return handle }
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = url(0)
        if !FileManager.default.fileExists(atPath: file.path) {
            guard
                FileManager.default.createFile(
                    atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
        let handle = try FileHandle(forWritingTo: file)
        written = Int(clamping: try handle.seekToEnd())
        self.handle = handle
        return handle
    }

    private mutating func roll() throws {
        try handle?.close()
        handle = nil
        written = 0
        let manager = FileManager.default
        if fileCount == 1 {
            try manager.removeItem(at: url(0))
            return
        }
        if manager.fileExists(atPath: url(fileCount - 1).path) { try manager.removeItem(at: url(fileCount - 1)) }
        for index in stride(from: fileCount - 2, through: 0, by: -1)
        where manager.fileExists(atPath: url(index).path) {
            try manager.moveItem(at: url(index), to: url(index + 1))
        }
    }
}
