import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A regular file that is open for reading. Its calls block, and belong on NIO's thread pool.
final class FileReader: Sendable {
    private let descriptor: CInt
    /// The file's size when it was opened.
    let size: Int64

    /// Opens a file. Throws `bodyFailed` where it cannot be read or is no regular file.
    init(path: String) throws(TransportError) {
        // Without O_NONBLOCK the opening of a named pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw TransportError(.bodyFailed, in: .preparing, "The file cannot be read: \(Self.lastError).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransportError(.bodyFailed, in: .preparing, "The body is no regular file.")
        }
        self.descriptor = descriptor
        self.size = Int64(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to `count` bytes at `offset`; fewer at the end of the file.
    func read(at offset: Int64, count: Int) throws(TransportError) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            } while result < 0 && errno == EINTR
            initialised = max(0, result)
        }
        guard result >= 0 else {
            throw TransportError(.bodyFailed, in: .sending, "The file cannot be read: \(Self.lastError).")
        }
        return bytes
    }

    /// Opens a file on NIO's thread pool.
    static func opened(path: String) async throws(TransportError) -> FileReader {
        do {
            return try await NIOThreadPool.singleton.runIfActive { try FileReader(path: path) }
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.bodyFailed, in: .preparing, "The file cannot be read: \(error).")
        }
    }

    private static var lastError: String { String(cString: strerror(errno)) }
}
