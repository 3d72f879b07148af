import NIOCore
import _NIOFileSystem

// Files that come in parts lie beside the others until they are complete.
extension FileLibrary {
    private static let partSuffix = ".part"

    private func partPath(of id: String) -> FilePath { FilePath(path(of: id) + Self.partSuffix) }

    /// A name for a new one.
    func newIdentifier() -> String { Self.identifier(entropy) }

    /// Writes chunks behind the first `offset` bytes until `next` gives none. Tells how many bytes each write has added, and
    /// ends when they do not count any more.
    ///
    /// Throws ``FileSpace/Full`` when there is no room left; what was written before stays.
    func append(
        to id: String, at offset: Int64, next: () async throws -> ByteBuffer?, wrote: (Int64) -> Bool
    ) async throws {
        try await FileSystem.shared.withFileHandle(
            forWritingAt: partPath(of: id),
            options: .modifyFile(createIfNecessary: true, permissions: Self.ownersFile)
        ) { handle in
            var offset = offset
            while let chunk = try await next() {
                let count = Int64(chunk.readableBytes)
                try space.take(count)
                do {
                    try await handle.write(contentsOf: chunk, toAbsoluteOffset: offset)
                } catch {
                    space.giveBack(count)
                    throw error
                }
                guard wrote(count) else {
                    space.giveBack(count)
                    return
                }
                offset += count
            }
        }
    }

    /// Makes a file of what has come.
    func complete(_ upload: UnfinishedUpload) async throws -> FileRecord {
        // Nothing was written of an empty one.
        try await append(to: upload.id, at: 0, next: { nil }, wrote: { _ in true })
        try await FileSystem.shared.moveItem(at: partPath(of: upload.id), to: FilePath(path(of: upload.id)))
        let record = FileRecord(fileID: upload.id, name: upload.name, type: upload.type, size: upload.offset)
        try await keep(record)
        return record
    }

    /// Takes away what has come of one that nobody goes on with. One that is complete stays.
    func discard(_ upload: UnfinishedUpload) async {
        guard upload.state == .open else { return }
        // There may be nothing yet.
        _ = try? await FileSystem.shared.removeItem(at: partPath(of: upload.id))
        space.giveBack(upload.offset)
    }

    private static func isPart(_ name: String) -> Bool {
        let digits = name.utf8.dropLast(partSuffix.utf8.count)
        return name.hasSuffix(partSuffix) && digits.count == 32
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Takes away what a process before this one has not finished. Whatever else lies in the folder may be somebody else's.
    static func sweep(_ directory: FilePath) async throws {
        try await FileSystem.shared.withDirectoryHandle(atPath: directory) { folder in
            for try await entry in folder.listContents() where isPart(entry.name.string) {
                try await FileSystem.shared.removeItem(at: entry.path)
            }
        }
    }
}
