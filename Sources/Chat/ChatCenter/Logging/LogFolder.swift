import DequeModule
import Foundation
import Logging
import Synchronization

/// The log files of one folder. An executor writes them, so that a logging thread never waits for the disk.
///
/// The process has one instance for each folder. Otherwise two SDKs with the same folder would delete each other's
/// files.
final class LogFolder: Sendable {
    /// The maximum size in bytes of lines that wait for the disk. Further lines are dropped and counted.
    static let waitingLimit = 4 * 1024 * 1024

    private struct Entry {
        weak var folder: LogFolder?
    }

    private struct State {
        var lines: Deque<String> = []
        var byteCount = 0
        var dropped = 0
        var isScheduled = false
    }

    private static let folders = Mutex<[String: Entry]>([:])

    /// Accessed only on the executor.
    private let files: Mutex<RollingLogFiles>
    private let executor: any ChatExecutor
    private let state = Mutex(State())

    /// Creates an instance without accessing the disk.
    init(_ files: consuming RollingLogFiles, executor: any ChatExecutor = QueueExecutor("holdfast.chat.log")) {
        self.files = Mutex(files)
        self.executor = executor
    }

    /// Returns the folder's instance and applies the limits to it. Does not access the disk.
    static func at(_ directory: URL, fileByteCount: Int, fileCount: Int) -> LogFolder {
        folders.withLock { folders in
            let path = directory.standardizedFileURL.path
            if let known = folders[path]?.folder {
                known.limit(fileByteCount: fileByteCount, fileCount: fileCount)
                return known
            }
            let new = LogFolder(
                RollingLogFiles(directory: directory, fileByteCount: fileByteCount, fileCount: fileCount))
            folders = folders.filter { $0.value.folder != nil }
            folders[path] = Entry(folder: new)
            return new
        }
    }

    private func limit(fileByteCount: Int, fileCount: Int) {
        executor.run { [self] in
            files.withLock { $0.limit(fileByteCount: fileByteCount, fileCount: fileCount) }
        }
    }

    /// Queues lines and returns immediately.
    func add(_ lines: [String]) {
        let begins = state.withLock { state in
            for line in lines {
                let count = line.utf8.count
                guard state.byteCount + count <= Self.waitingLimit else {
                    state.dropped += 1
                    continue
                }
                state.lines.append(line)
                state.byteCount += count
            }
            guard !state.isScheduled, !state.lines.isEmpty else { return false }
            state.isScheduled = true
            return true
        }
        if begins { sendBlock() }
    }

    /// Runs `body` after all queued lines are written, and returns its result. Later lines wait. Blocks.
    @discardableResult
    func afterWriting<Value: Sendable>(_ body: @escaping @Sendable (inout RollingLogFiles) -> Value) -> Value? {
        executor.value(otherwise: nil) { [self] in
            write()
            return files.withLock { body(&$0) }
        }
    }

    /// Deletes the files and drops the queued lines. Blocks until it is done.
    func erase() {
        executor.wait { [self] in
            _ = takeLines()
            files.withLock { $0.erase() }
        }
    }

    /// Schedules one block of queued lines on the executor, then the next, so that other work can run in between.
    private func sendBlock() {
        executor.run { [self] in
            write()
            let goesOn = state.withLock { state in
                state.isScheduled = !state.lines.isEmpty || state.dropped > 0
                return state.isScheduled
            }
            if goesOn { sendBlock() }
        }
    }

    private func write() {
        let lines = takeLines()
        guard !lines.isEmpty else { return }
        let failure = files.withLock { files -> (any Error)? in
            for line in lines {
                if let error = files.append(line) { return error }
            }
            return nil
        }
        if let failure {
            Logger(label: "holdfast.chatcenter").warning(
                "The chat's log files cannot be written. Logging to files stops. \(failure)")
        }
    }

    /// Removes the queued lines, and appends a notice if lines were dropped.
    private func takeLines() -> [String] {
        state.withLock { state in
            let dropped = state.dropped
            defer {
                state.lines = []
                state.byteCount = 0
                state.dropped = 0
            }
            return state.lines
                + (dropped > 0 ? ["\(dropped) lines were dropped: the disk was too slow for them."] : [])
        }
    }
}
