import Foundation
import Synchronization

extension ChatLog {
    /// Writes one file with everything that the log files hold, the oldest line first. Lines that come meanwhile wait.
    func export(to file: URL) throws(ChatLogExportError) {
        guard let folder else {
            throw ChatLogExportError(.loggingIsOff, "The log level is off: there are no log files.")
        }
        writeKeptLines()
        do {
            try folder.files.withLock { files in
                let parts = files.existing()
                guard !parts.isEmpty else {
                    throw ChatLogExportError(.nothingLogged, "No line was logged yet.")
                }
                let manager = FileManager.default
                try manager.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                // Made for the owner's eyes before a byte is in it; what was there is not written into. A folder is nobody's
                // old export, and a log file is what is read.
                var isFolder: ObjCBool = false
                let isThere = manager.fileExists(atPath: file.path, isDirectory: &isFolder)
                let target = file.resolvingSymlinksInPath().path
                guard !isFolder.boolValue, !parts.contains(where: { $0.resolvingSymlinksInPath().path == target })
                else {
                    throw ChatLogExportError(.files, "A folder or a log file cannot be the destination of an export.")
                }
                if isThere { try manager.removeItem(at: file) }
                guard
                    manager.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
                else { throw CocoaError(.fileWriteUnknown) }
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
        } catch let error as ChatLogExportError {
            throw error
        } catch {
            throw ChatLogExportError(.files, "The log could not be exported: \(error)", underlying: error)
        }
    }
}
