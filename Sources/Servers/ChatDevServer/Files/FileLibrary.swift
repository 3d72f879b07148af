import HoldfastBase
import NIOCore
import NIOPosix
import Synchronization
import _NIOFileSystem

/// The uploaded files: contents in a directory, metadata in the store. A file's name on the disk is its random id.
/// Nothing from a client becomes part of a path.
struct FileLibrary: Sendable {
    let directory: String
    let store: ChatServerStore
    let entropy: RandomSource
    /// Whether the directory is temporary and is removed with the library.
    let isTemporary: Bool
    /// The available space.
    let space: FileSpace

    private let threads = NIOThreadPool.singleton
    private let fileSystem = FileSystem.shared

    /// Opens a directory and creates it if necessary; without a path, creates a temporary directory.
    static func open(
        directory: String?, store: ChatServerStore, entropy: RandomSource, limit: Int64
    ) async throws -> FileLibrary {
        do {
            let path: FilePath
            if let directory {
                path = FilePath(directory)
                try await FileSystem.shared.createDirectory(
                    at: path, withIntermediateDirectories: true, permissions: Self.ownersFolder)
                try await FileSystem.shared.withDirectoryHandle(atPath: path) { folder in
                    // The folder may have been created before this rule. A folder that all users share, such as /tmp,
                    // keeps its permissions; the files in it are protected individually.
                    guard try await !folder.info().permissions.contains(.saveText) else { return }
                    try await folder.replacePermissions(Self.ownersFolder)
                }
                try await sweep(path)
            } else {
                path = try await FileSystem.shared.createTemporaryDirectory(
                    template: FileSystem.shared.temporaryDirectory.appending("holdfast-files-XXXXXX"))
            }
            // A process that ended between an upload and its reply left files that no message contains.
            try await removeUnsent(nil, in: path, store)
            return FileLibrary(
                directory: path.string, store: store, entropy: entropy, isTemporary: directory == nil,
                space: FileSpace(limit: limit, used: try store.storedBytes()))
        } catch {
            throw ChatDevServerError(
                .unusableFilesDirectory, reason: "The directory for files cannot be used: \(error).", path: directory,
                underlying: error)
        }
    }

    /// Removes a temporary directory with its contents.
    func close() async {
        guard isTemporary else { return }
        // The system cleans up what cannot be removed.
        _ = try? await fileSystem.removeItem(at: FilePath(directory), strategy: .platformDefault, recursively: true)
    }

    private static let ownersFolder: FilePermissions = [.ownerReadWriteExecute]
    static let ownersFile: FilePermissions = [.ownerReadWrite]

    /// Writes a file from chunks until `next` returns `nil`. The file appears when it is complete, or not at all. Space
    /// is reserved for each chunk before it is written, so that concurrent uploads cannot exceed the limit.
    ///
    /// - Parameter isUnsent: Whether the file belongs to a message that is not sent yet. The caller then calls
    ///   ``discardUnsent(_:)`` after the message was sent or refused. The next start removes the files of a process
    ///   that ended before.
    ///
    /// Throws ``FileSpace/Full`` when there is no space left.
    func add(
        name: String, type: String, isUnsent: Bool = false, next: () async throws -> ByteBuffer?
    ) async throws -> FileRecord {
        let fileID = newIdentifier()
        var taken: Int64 = 0
        do {
            if isUnsent { try await threads.runIfActive { try store.markUnsent(fileID) } }
            let size = try await fileSystem.withFileHandle(
                forWritingAt: FilePath(path(of: fileID)),
                options: .newFile(replaceExisting: false, permissions: Self.ownersFile)
            ) { handle in
                var offset: Int64 = 0
                while let chunk = try await next() {
                    try space.take(Int64(chunk.readableBytes))
                    taken += Int64(chunk.readableBytes)
                    offset += try await handle.write(contentsOf: chunk, toAbsoluteOffset: offset)
                }
                return offset
            }
            let record = FileRecord(fileID: fileID, name: name, type: type, size: size)
            try await keep(record)
            return record
        } catch {
            space.giveBack(taken)
            if isUnsent { await discardUnsent([fileID]) }
            throw error
        }
    }

    /// Stores the metadata of a file whose contents are written.
    func keep(_ record: FileRecord) async throws {
        try await threads.runIfActive { try store.add(record) }
    }

    /// Returns the metadata of the file with this id.
    func file(_ fileID: String) async throws -> FileRecord? {
        try await threads.runIfActive { try store.file(fileID) }
    }

    /// Returns the path of a file's contents.
    func path(of fileID: String) -> String { directory + "/" + fileID }

    /// Returns whether a text can be the id of a file.
    static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    /// Returns 128 random bits as 32 hexadecimal digits.
    func newIdentifier() -> String {
        [entropy.next(), entropy.next()].map { withUnsafeBytes(of: $0.bigEndian) { $0.hexadecimal } }.joined()
    }
}

/// The metadata of an uploaded file.
struct FileRecord: Hashable, Sendable {
    /// A random id, which is the name of the file on the disk.
    var fileID: String
    /// The name that the client sent.
    var name: String
    /// The MIME type; syntactically valid.
    var type: String
    /// The size in bytes.
    var size: Int64
}

/// The space for uploaded files: the limit in bytes, and the bytes in use by complete and unfinished files.
/// Thread-safe.
final class FileSpace: Sendable {
    /// The remaining space is too small.
    struct Full: Error {}

    private let limit: Int64
    private let used: Mutex<Int64>

    init(limit: Int64, used: Int64) {
        self.limit = limit
        self.used = Mutex(used)
    }

    /// Whether the limit is reached.
    var isFull: Bool { used.withLock { $0 >= limit } }

    /// Reserves space for bytes that will be written.
    func take(_ bytes: Int64) throws(Full) {
        let fits = used.withLock { used in
            guard used <= limit, bytes <= limit - used else { return false }
            used += bytes
            return true
        }
        guard fits else { throw Full() }
    }

    /// Releases the space of a file that was discarded.
    func giveBack(_ bytes: Int64) {
        used.withLock { $0 -= bytes }
    }
}
