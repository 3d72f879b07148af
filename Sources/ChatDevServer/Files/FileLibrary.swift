import NIOCore
import NIOPosix
import _NIOFileSystem

/// The uploaded files: bytes in a directory, facts in the store. A file's name on the disk is its random id; nothing that a
/// client says becomes part of a path.
struct FileLibrary: Sendable {
    let directory: String
    let store: ChatServerStore
    let entropy: EntropySource
    /// Whether the directory is the library's own and goes with it.
    let isTemporary: Bool

    private let threads = NIOThreadPool.singleton
    private let fileSystem = FileSystem.shared

    /// Takes a directory, making it if there is none; without one it makes a temporary one.
    static func open(
        directory: String?, store: ChatServerStore, entropy: EntropySource
    ) async throws -> FileLibrary {
        do {
            let path: FilePath
            if let directory {
                path = FilePath(directory)
                try await FileSystem.shared.createDirectory(at: path, withIntermediateDirectories: true)
                _ = try await FileSystem.shared.withDirectoryHandle(atPath: path) { try await $0.info() }
            } else {
                path = try await FileSystem.shared.createTemporaryDirectory(
                    template: FileSystem.shared.temporaryDirectory.appending("holdfast-files-XXXXXX"))
            }
            return FileLibrary(
                directory: path.string, store: store, entropy: entropy, isTemporary: directory == nil)
        } catch {
            throw ChatDevServerError(
                .unusableFilesDirectory, reason: "The directory for files cannot be used: \(error).", path: directory,
                underlying: error)
        }
    }

    private init(directory: String, store: ChatServerStore, entropy: EntropySource, isTemporary: Bool) {
        self.directory = directory
        self.store = store
        self.entropy = entropy
        self.isTemporary = isTemporary
    }

    /// Removes a temporary directory with all that is in it.
    func close() async {
        guard isTemporary else { return }
        // What cannot be removed is the system's to clean up.
        _ = try? await fileSystem.removeItem(at: FilePath(directory), strategy: .platformDefault, recursively: true)
    }

    /// Writes a file from chunks until `next` gives none. It appears when it is complete, or not at all.
    func add(
        name: String, type: String, next: () async throws -> ByteBuffer?
    ) async throws -> FileRecord {
        let fileID = Self.identifier(entropy)
        let size = try await fileSystem.withFileHandle(
            forWritingAt: FilePath(path(of: fileID)), options: .newFile(replaceExisting: false)
        ) { handle in
            var offset: Int64 = 0
            while let chunk = try await next() {
                offset += try await handle.write(contentsOf: chunk, toAbsoluteOffset: offset)
            }
            return offset
        }
        let record = FileRecord(fileID: fileID, name: name, type: type, size: size)
        try await threads.runIfActive { try store.add(record) }
        return record
    }

    /// The file with this id.
    func file(_ fileID: String) async throws -> FileRecord? {
        try await threads.runIfActive { try store.file(fileID) }
    }

    /// The bytes of all files.
    func storedBytes() async throws -> Int64 {
        try await threads.runIfActive { try store.storedBytes() }
    }

    /// Where a file's bytes lie.
    func path(of fileID: String) -> String { directory + "/" + fileID }

    /// 128 random bits as 32 hexadecimal digits.
    private static func identifier(_ entropy: EntropySource) -> String {
        [entropy.next(), entropy.next()].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
