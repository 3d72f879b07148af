#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that is there as a whole or not at all: written under another name in the folder of its destination, flushed, and
/// renamed.
final class DownloadFile: Sendable {
    private let destination: String
    private let temporary: String
    private let descriptor: Int32
    /// The calls block.
    private let queue = DispatchQueue(label: "holdfast.download")

    /// Creates the temporary file, for its owner alone.
    init(destination: URL) throws(DownloadFileError) {
        let folder = destination.deletingLastPathComponent()
        self.destination = destination.path
        temporary = folder.appendingPathComponent(".\(destination.lastPathComponent).\(UUID().uuidString)").path
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw DownloadFileError(step: .create, errno: errno) }
    }

    /// What was not renamed goes.
    deinit {
        close(descriptor)
        unlink(temporary)
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) async throws {
        try await blocking { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { Self.put(descriptor, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw DownloadFileError(step: .write, errno: errno) }
                rest = rest.dropFirst(written)
            }
        }
    }

    /// Puts the file in its place. What was there before is replaced.
    func finish() async throws {
        try await blocking { [descriptor, temporary, destination] in
            guard fsync(descriptor) == 0 else { throw DownloadFileError(step: .flush, errno: errno) }
            guard rename(temporary, destination) == 0 else { throw DownloadFileError(step: .rename, errno: errno) }
        }
    }

    private static func put(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #else
        Musl.write(descriptor, bytes, count)
        #endif
    }

    private func blocking(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
#endif
