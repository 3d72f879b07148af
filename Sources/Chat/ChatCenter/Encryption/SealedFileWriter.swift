import Crypto
import Foundation

/// Writes a file, sealed where there are keys, as it is where there are none.
final class SealedFileWriter {
    private let handle: FileHandle
    private let folder: URL
    private let key: SymmetricKey?
    private let name: [UInt8]
    private let prefix: [UInt8]
    private var number: UInt32 = 0
    private var buffer: [UInt8] = []

    /// Makes the file, for the owner's eyes alone.
    ///
    /// - Parameter name: The name that the pieces are bound to; `nil` for the file's own.
    init(_ url: URL, keys: StoreKeys?, name: String? = nil) throws {
        guard
            FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw FileTransferError(.unwritable, "The file cannot be kept: \(url.path) cannot be written.") }
        handle = try FileHandle(forWritingTo: url)
        folder = url.deletingLastPathComponent()
        key = keys?.files
        self.name = Array((name ?? url.lastPathComponent).utf8)
        prefix = (0..<SealedFile.prefixLength).map { _ in UInt8.random(in: 0...255) }
        if key != nil { try handle.write(contentsOf: Data(SealedFile.magic + prefix)) }
    }

    /// Appends bytes.
    func write(_ bytes: some Collection<UInt8>) throws {
        guard key != nil else { return try handle.write(contentsOf: Data(bytes)) }
        buffer += bytes
        // One byte more than a piece must be there: the last piece is not known as such before.
        var start = 0
        while buffer.count - start > SealedFile.pieceLength {
            try seal(buffer[start..<(start + SealedFile.pieceLength)], isLast: false)
            start += SealedFile.pieceLength
        }
        buffer.removeFirst(start)
    }

    /// Writes what is left. A file without it does not open.
    ///
    /// - Parameter isDurable: Whether the file is to be there after a power cut once this returns.
    func finish(isDurable: Bool = false) throws {
        if key != nil { try seal(buffer[...], isLast: true) }
        if isDurable { try handle.synchronize() }
        try handle.close()
        if isDurable { Self.synchronize(folder) }
    }

    /// Brings the names in a folder onto the disk, where the file system can.
    static func synchronize(_ folder: URL) {
        let descriptor = open(folder.path, O_RDONLY)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }

    private func seal(_ piece: ArraySlice<UInt8>, isLast: Bool) throws {
        guard let key else { return }
        let box = try AES.GCM.seal(
            piece, using: key, nonce: try SealedFile.nonce(prefix, number, isLast: isLast), authenticating: name)
        try handle.write(contentsOf: box.ciphertext + box.tag)
        guard number < .max else { throw FileTransferError(.tooLarge, "The file has too many pieces.") }
        number += 1
    }
}
