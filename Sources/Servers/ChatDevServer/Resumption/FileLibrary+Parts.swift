import NIOCore
import _NIOFileSystem

// Unfinished uploads are stored next to the complete files.
extension FileLibrary {
    private static let partSuffix = ".part"

    private func partPath(of id: String) -> FilePath { FilePath(path(of: id) + Self.partSuffix) }

    /// Appends chunks after the first `offset` bytes until `next` returns `nil`. Reports the number of bytes of each
    /// write to `wrote`, and ends when `wrote` returns `false`.
    ///
    /// Throws ``FileSpace/Full`` when there is no space left. Bytes that were written before are kept.
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

    /// Converts a complete upload to a file.
    func complete(_ upload: UnfinishedUpload) async throws -> FileRecord {
        // An empty upload has no file on the disk yet.
        try await append(to: upload.id, at: 0, next: { nil }, wrote: { _ in true })
        try await FileSystem.shared.moveItem(at: partPath(of: upload.id), to: FilePath(path(of: upload.id)))
        let record = FileRecord(fileID: upload.id, name: upload.name, type: upload.type, size: upload.offset)
        try await keep(record)
        return record
    }

    /// Removes an abandoned upload. Complete ones are kept.
    func discard(_ upload: UnfinishedUpload) async {
        guard upload.state == .open else { return }
        // The file may not exist yet.
        _ = try? await FileSystem.shared.removeItem(at: partPath(of: upload.id))
        space.giveBack(upload.offset)
    }

    private static func isPart(_ name: String) -> Bool {
        let digits = name.utf8.dropLast(partSuffix.utf8.count)
        return name.hasSuffix(partSuffix) && digits.count == 32
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Removes unfinished uploads of an earlier process. Other files in the folder are kept, because they may belong to
    /// other programs.
    static func sweep(_ directory: FilePath) async throws {
        try await FileSystem.shared.withDirectoryHandle(atPath: directory) { folder in
            for try await entry in folder.listContents() where isPart(entry.name.string) {
                try await FileSystem.shared.removeItem(at: entry.path)
            }
        }
    }
}
