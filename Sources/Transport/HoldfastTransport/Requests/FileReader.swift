import HoldfastSystem
import NIOCore
import NIOPosix

/// A regular file that is open for reading. Its methods block, so they must be called on NIO's thread pool.
package final class FileReader: Sendable {
    private let descriptor: CInt
    /// The size of the file when it was opened.
    let size: Int64
    /// The state of the file when it was opened.
    let stamp: FileStamp
    /// Whether reading fails after the file changed.
    private let isWatched: Bool

    /// Opens a file. Throws `bodyFailed` if it cannot be read or is not a regular file.
    init(path: String, isWatched: Bool = false) throws(TransportError) {
        guard !path.utf8.contains(0) else {
            throw TransportError(.bodyFailed, in: .preparing, "The path of the file contains a zero byte.")
        }
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw TransportError(.bodyFailed, in: .preparing, "The file cannot be read: \(SystemError.last).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransportError(.bodyFailed, in: .preparing, "The body is not a regular file.")
        }
        self.descriptor = descriptor
        self.size = Int64(status.st_size)
        self.stamp = FileStamp(status)
        self.isWatched = isWatched
    }

    /// Whether the file is unchanged since it was opened. A change that keeps the size and happens within one tick of
    /// the file system's clock (some milliseconds) is not detected.
    var isUnchanged: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && FileStamp(status) == stamp
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to `count` bytes at `offset`, or fewer at the end of the file.
    func read(at offset: Int64, count: Int) throws(TransportError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SystemCalls.read(upTo: count, from: descriptor, at: offset)
        } catch {
            throw TransportError(.bodyFailed, in: .sending, "The file cannot be read: \(error).")
        }
        guard !isWatched || isUnchanged else {
            throw TransportError(.bodyFailed, in: .sending, "The file changed while it was sent.")
        }
        return bytes
    }

    /// Opens a file on NIO's thread pool.
    static func opened(path: String, isWatched: Bool = false) async throws(TransportError) -> FileReader {
        try await Blocking.run { () throws(TransportError) in try FileReader(path: path, isWatched: isWatched) }
    }
}

extension FileReader {
    /// Reads bytes of `range` from `offset` on the thread pool, because disk access blocks.
    ///
    /// Must be called on `loop`, before the end of the range. `completion` is called on `loop` with 1 to `limit` bytes,
    /// or with `bodyFailed`.
    func readPart(
        at offset: Int64, of range: Range<Int64>, upTo limit: Int, on loop: any EventLoop,
        _ completion: @escaping (Result<[UInt8], TransportError>) -> Void
    ) {
        let count = Int(min(Int64(limit), range.upperBound - offset))
        let reading = NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
            let bytes = try self.read(at: offset, count: count)
            guard !bytes.isEmpty else {
                throw TransportError(.bodyFailed, in: .sending, "The file was truncated while it was sent.")
            }
            return bytes
        }
        reading.assumeIsolated().whenComplete { result in
            completion(
                result.mapError { error in
                    error as? TransportError ?? TransportError(.bodyFailed, in: .sending, "The file cannot be read.")
                })
        }
    }
}
