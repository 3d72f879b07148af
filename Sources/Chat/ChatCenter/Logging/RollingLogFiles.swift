// `FileHandle` is not in FoundationEssentials.
import Foundation

/// A log file with rotation: `chat.log`, and the older `chat.1.log`, `chat.2.log` …
///
/// The size of each file and the number of files are limited, also after a restart with smaller limits. No file is
/// opened before the first line. If the folder cannot be written, file logging stops and the error is reported once.
/// Rotation does not use times, so a clock that goes back affects only the times in the lines.
struct RollingLogFiles: ~Copyable {
    /// The text at the end of a truncated line.
    static let cutMark = " … (cut)"

    let directory: URL
    private var fileByteCount: Int
    private var fileCount: Int
    private var handle: FileHandle?
    private var written = 0
    private var hasFailed = false

    init(directory: URL, fileByteCount: Int, fileCount: Int) {
        self.directory = directory
        self.fileByteCount = fileByteCount
        self.fileCount = fileCount
    }

    /// Changes the limits, because another SDK writes to the same folder.
    mutating func limit(fileByteCount: Int, fileCount: Int) {
        if fileCount < self.fileCount { handle = nil }  // The next line opens the file again and deletes excess files.
        self.fileByteCount = fileByteCount
        self.fileCount = fileCount
    }

    /// Appends a line. Returns the error that stops file logging, when it first occurs.
    mutating func append(_ line: String) -> (any Error)? {
        guard !hasFailed else { return nil }
        do {
            let bytes = bytes(of: line)
            try openIfNeeded()
            if written > 0, written + bytes.count > fileByteCount {
                try roll()
                try openIfNeeded()
            }
            try handle?.write(contentsOf: bytes)
            written += bytes.count
            return nil
        } catch {
            hasFailed = true
            return error
        }
    }

    /// Returns a line that fits into a file.
    private func bytes(of line: String) -> Data {
        let whole = Data((line + "\n").utf8)
        guard whole.count > fileByteCount else { return whole }
        let mark = Array((Self.cutMark + "\n").utf8)
        return whole.prefix(max(0, fileByteCount - mark.count)) + mark.prefix(fileByteCount)
    }

    /// Returns the existing files, oldest first.
    func existing() -> [URL] {
        (0..<fileCount).reversed().map { url($0) }.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Returns whether a file is one of the log files, or has a name of one.
    func owns(_ file: URL) -> Bool {
        func path(_ url: URL) -> String { url.resolvingSymlinksInPath().standardizedFileURL.path }
        let parent = path(file.deletingLastPathComponent())
        // Case-insensitive, because file systems of phones often ignore case.
        let name = file.lastPathComponent.lowercased()
        if parent == path(directory), Self.index(of: name) != nil { return true }
        return existing().contains { path($0) == path(file) }
    }

    private static func index(of name: String) -> Int? {
        if name == "chat.log" { return 0 }
        guard name.hasPrefix("chat."), name.hasSuffix(".log") else { return nil }
        return Int(name.dropFirst(5).dropLast(4)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Deletes every log file.
    mutating func erase() {
        try? handle?.close()
        handle = nil
        written = 0
        for index in indices() { try? FileManager.default.removeItem(at: url(index)) }
    }

    private func url(_ index: Int) -> URL {
        directory.appendingPathComponent(index == 0 ? "chat.log" : "chat.\(index).log")
    }

    /// Returns the numbers of the existing files, including those above the limit.
    private func indices() -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.compactMap(Self.index)
    }

    private mutating func openIfNeeded() throws {
        guard handle == nil else { return }
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        Backup.exclude(directory)
        // An earlier run may have kept more files.
        for index in indices() where index >= fileCount { try FileManager.default.removeItem(at: url(index)) }
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
    }

    private mutating func roll() throws {
        try handle?.close()
        handle = nil
        written = 0
        let manager = FileManager.default
        if fileCount == 1 { return try manager.removeItem(at: url(0)) }
        if manager.fileExists(atPath: url(fileCount - 1).path) { try manager.removeItem(at: url(fileCount - 1)) }
        for index in stride(from: fileCount - 2, through: 0, by: -1)
        where manager.fileExists(atPath: url(index).path) {
            try manager.moveItem(at: url(index), to: url(index + 1))
        }
    }
}
