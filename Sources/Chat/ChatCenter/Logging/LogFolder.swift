import Foundation
import Synchronization

/// The log files of one folder. There is one for each folder in the process: two SDKs that write into the same one would
/// roll each other's files away.
final class LogFolder: Sendable {
    private struct Entry {
        weak var folder: LogFolder?
    }

    private static let folders = Mutex<[String: Entry]>([:])

    let files: Mutex<RollingLogFiles>

    private init(_ files: consuming RollingLogFiles) {
        self.files = Mutex(files)
    }

    /// The folder's files, with these limits from now on. Touches no disk.
    static func at(_ directory: URL, fileByteCount: Int, fileCount: Int) -> LogFolder {
        folders.withLock { folders in
            let path = directory.standardizedFileURL.path
            if let known = folders[path]?.folder {
                known.files.withLock { $0.limit(fileByteCount: fileByteCount, fileCount: fileCount) }
                return known
            }
            let new = LogFolder(
                RollingLogFiles(directory: directory, fileByteCount: fileByteCount, fileCount: fileCount))
            folders = folders.filter { $0.value.folder != nil }
            folders[path] = Entry(folder: new)
            return new
        }
    }
}
