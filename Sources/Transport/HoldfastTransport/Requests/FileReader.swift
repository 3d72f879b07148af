import HoldfastSystem

/// A regular file that is open for reading. Its calls block, and belong on NIO's thread pool.
package final class FileReader: Sendable {
    private let descriptor: CInt
    /// The file's size when it was opened.
    let size: Int64
    /// The state of the file when it was opened.
    let stamp: FileStamp
    /// Whether reading fails once the file is in another state.
    private let isWatched: Bool

    /// Opens a file. Throws `bodyFailed` where it cannot be read or is no regular file.
    init(path: String, isWatched: Bool = false) throws(TransportError) {
        guard !path.utf8.contains(0) else {
            throw TransportError(.bodyFailed, in: .preparing, "The path of the file has a zero byte in it.")
        }
        // Without O_NONBLOCK the opening of a named pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw TransportError(.bodyFailed, in: .preparing, "The file cannot be read: \(SystemError.last).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransportError(.bodyFailed, in: .preparing, "The body is no regular file.")
        }
        self.descriptor = descriptor
        self.size = Int64(status.st_size)
        self.stamp = FileStamp(status)
        self.isWatched = isWatched
    }

    /// Whether the file is still as it was when it was opened. A change within a tick of the file system's clock (some milliseconds)
    /// that leaves the size alone is not noticed.
    var isUnchanged: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && FileStamp(status) == stamp
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to `count` bytes at `offset`; fewer at the end of the file.
    func read(at offset: Int64, count: Int) throws(TransportError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SystemCalls.read(upTo: count, from: descriptor, at: offset)
        } catch {
            throw TransportError(.bodyFailed, in: .sending, "The file cannot be read: \(error).")
        }
        guard !isWatched || isUnchanged else {
            throw TransportError(.bodyFailed, in: .sending, "The file has changed while it was sent.")
        }
        return bytes
    }

    /// Opens a file on NIO's thread pool.
    static func opened(path: String, isWatched: Bool = false) async throws(TransportError) -> FileReader {
        try await Blocking.run { () throws(TransportError) in try FileReader(path: path, isWatched: isWatched) }
    }
}
