import Crypto
import Foundation
import HoldfastSystem
import HoldfastTransport

/// An encrypted file. It is processed in pieces, so that it is never completely in memory or unencrypted on disk.
///
/// The file has a header (a magic number and a random prefix), then pieces of 64 KiB. Each piece is encrypted with
/// AES-GCM under the nonce prefix ‖ number ‖ last?, so that pieces cannot be exchanged, omitted or truncated (the
/// STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015). Every piece is bound to the file's name.
enum SealedFile {
    static let magic: [UInt8] = Array("HFC1".utf8)
    static let prefixLength = 7
    static let pieceLength = 64 * 1024
    static let tagLength = 16
    static let headerLength = magic.count + prefixLength

    /// Returns the nonce of a piece.
    static func nonce(_ prefix: [UInt8], _ number: UInt32, isLast: Bool) throws -> AES.GCM.Nonce {
        let counter = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return try AES.GCM.Nonce(data: prefix + counter + [isLast ? 1 : 0])
    }

    /// Returns whether a file can be decrypted with these keys.
    static func isSealed(_ url: URL, keys: StoreKeys?) -> Bool {
        guard var reader = try? SealedFileReader(url, keys: keys) else { return false }
        return (try? reader.next()) != nil
    }

    /// The error of a file that was changed, renamed or damaged.
    static let tampered = ChatStorageError(.tampered, "A stored file was changed, renamed or damaged.")
}

/// Writes a file, encrypted if there are keys. Copies of the value share one file and must not be used concurrently.
struct SealedFileWriter: Sendable {
    private let handle: FileHandle
    private let folder: URL
    private let key: SymmetricKey?
    private let name: [UInt8]
    private let prefix: [UInt8]
    private var number: UInt32 = 0
    private var buffer: [UInt8] = []

    /// Creates the file, which only its owner can read.
    ///
    /// - Parameter name: The name to which the pieces are bound; `nil` for the file's own name.
    init(_ url: URL, keys: StoreKeys?, name: String? = nil) throws {
        guard
            FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw FileTransferError(.unwritable, "The file cannot be stored: \(url.path) cannot be written.") }
        handle = try FileHandle(forWritingTo: url)
        folder = url.deletingLastPathComponent()
        key = keys?.files
        self.name = Array((name ?? url.lastPathComponent).utf8)
        prefix = (0..<SealedFile.prefixLength).map { _ in UInt8.random(in: 0...255) }
        if key != nil { try handle.write(contentsOf: Data(SealedFile.magic + prefix)) }
    }

    /// Appends bytes.
    mutating func write(_ bytes: some Collection<UInt8>) throws {
        guard key != nil else { return try handle.write(contentsOf: Data(bytes)) }
        buffer += bytes
        // Keeps at least one byte back, because the last piece is marked and is only known at the end.
        var start = 0
        while buffer.count - start > SealedFile.pieceLength {
            try seal(buffer[start..<(start + SealedFile.pieceLength)], isLast: false)
            start += SealedFile.pieceLength
        }
        buffer.removeFirst(start)
    }

    /// Writes the last piece. A file without it cannot be opened.
    ///
    /// - Parameter isDurable: Whether the file must survive a power failure after this returns.
    mutating func finish(isDurable: Bool = false) throws {
        if key != nil { try seal(buffer[...], isLast: true) }
        if isDurable { try handle.synchronize() }
        try handle.close()
        if isDurable { DurableFile.flushFolder(folder.path) }
    }

    private mutating func seal(_ piece: ArraySlice<UInt8>, isLast: Bool) throws {
        guard let key else { return }
        let box = try AES.GCM.seal(
            piece, using: key, nonce: try SealedFile.nonce(prefix, number, isLast: isLast), authenticating: name)
        try handle.write(contentsOf: box.ciphertext + box.tag)
        guard number < .max else { throw FileTransferError(.tooLarge, "The file is too large to encrypt.") }
        number += 1
    }
}

extension SealedFileWriter {
    /// Calls a closure with the file on a thread that may block.
    mutating func withoutBlocking(_ body: @escaping @Sendable (inout SealedFileWriter) throws -> Void) async throws {
        self = try await Blocking.run { [self] in
            var writer = self
            try body(&writer)
            return writer
        }
    }
}

/// Reads a file that ``SealedFileWriter`` wrote with the same keys. Copies of the value share one file and must not be
/// used concurrently.
struct SealedFileReader: Sendable {
    private let handle: FileHandle
    private let key: SymmetricKey?
    private let name: [UInt8]
    private var prefix: [UInt8] = []
    private var number: UInt32 = 0
    private var left: Int64
    /// The size of the content in bytes.
    let length: Int64

    /// Opens a file. Throws ``ChatStorageError`` if it is not encrypted in this format.
    init(_ url: URL, keys: StoreKeys?) throws {
        handle = try FileHandle(forReadingFrom: url)
        key = keys?.files
        name = Array(url.lastPathComponent.utf8)
        let size = Int64(clamping: try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        guard key != nil else {
            length = size
            left = size
            return
        }
        let header = Array(try handle.read(upToCount: SealedFile.headerLength) ?? Data())
        let body = size - Int64(SealedFile.headerLength)
        guard header.count == SealedFile.headerLength, header.starts(with: SealedFile.magic),
            body >= Int64(SealedFile.tagLength)
        else { throw SealedFile.tampered }
        prefix = Array(header.dropFirst(SealedFile.magic.count))
        let sealedPiece = Int64(SealedFile.pieceLength + SealedFile.tagLength)
        let pieces = (body + sealedPiece - 1) / sealedPiece
        length = body - pieces * Int64(SealedFile.tagLength)
        left = body
    }

    /// Returns the next piece; `nil` at the end. Throws ``ChatStorageError`` if a piece was changed.
    mutating func next() throws -> [UInt8]? {
        guard left > 0 else { return nil }
        guard let key else {
            let chunk = Array(try handle.read(upToCount: SealedFile.pieceLength) ?? Data())
            left = chunk.isEmpty ? 0 : left - Int64(chunk.count)
            return chunk.isEmpty ? nil : chunk
        }
        let wanted = min(left, Int64(SealedFile.pieceLength + SealedFile.tagLength))
        let piece = try handle.read(upToCount: Int(wanted)) ?? Data()
        guard piece.count == Int(wanted), piece.count >= SealedFile.tagLength else { throw SealedFile.tampered }
        left -= wanted
        do {
            let box = try AES.GCM.SealedBox(
                nonce: try SealedFile.nonce(prefix, number, isLast: left == 0),
                ciphertext: piece.dropLast(SealedFile.tagLength), tag: piece.suffix(SealedFile.tagLength))
            let bytes = Array(try AES.GCM.open(box, using: key, authenticating: name))
            number &+= 1
            return bytes
        } catch {
            throw SealedFile.tampered
        }
    }
}

extension SealedFileReader {
    /// Returns the next piece, read on a thread that may block.
    mutating func nextWithoutBlocking() async throws -> [UInt8]? {
        let (piece, rest) = try await Blocking.run { [self] in
            var reader = self
            return (try reader.next(), reader)
        }
        self = rest
        return piece
    }
}
