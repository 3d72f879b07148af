import Crypto
import Foundation
import HoldfastSystem
import HoldfastTransport

/// A file of the cache that is sealed piece by piece, so that it is never whole in memory nor in the clear on the disk.
///
/// A header (a magic number and a random prefix), then pieces of 64 KiB, each AES-GCM under the nonce prefix ‖ number ‖
/// last?: pieces cannot be exchanged, left out or cut off (the STREAM construction of Hoang, Reyhanitabar, Rogaway and
/// Vizár, 2015). The file's name is bound to every piece.
enum SealedFile {
    static let magic: [UInt8] = Array("HFC1".utf8)
    static let prefixLength = 7
    static let pieceLength = 64 * 1024
    static let tagLength = 16
    static let headerLength = magic.count + prefixLength

    /// The nonce of a piece.
    static func nonce(_ prefix: [UInt8], _ number: UInt32, isLast: Bool) throws -> AES.GCM.Nonce {
        let counter = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return try AES.GCM.Nonce(data: prefix + counter + [isLast ? 1 : 0])
    }

    /// Whether a file opens with these keys.
    static func isSealed(_ url: URL, keys: StoreKeys?) -> Bool {
        do {
            var reader = try SealedFileReader(url, keys: keys)
            return try reader.next() != nil
        } catch {
            return false
        }
    }

    /// The failure of a file that is not what was written under its name.
    static let tampered = ChatStorageError(.tampered, "A kept file is not what was written under its name.")
}

/// Reads a file that ``SealedFileWriter`` wrote with the same keys. Its copies share one file and must not be used
/// together.
struct SealedFileReader: Sendable {
    private let handle: FileHandle
    private let key: SymmetricKey?
    private let name: [UInt8]
    private var prefix: [UInt8] = []
    private var number: UInt32 = 0
    private var left: Int64
    /// The bytes of the content.
    let length: Int64

    /// Throws ``ChatStorageError`` for a file that is not sealed in this form.
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

    /// The next piece; `nil` at the end. Throws ``ChatStorageError`` where a piece is not what was written.
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
    /// The next piece, read on a thread that may block.
    mutating func nextWithoutBlocking() async throws -> [UInt8]? {
        let (piece, rest) = try await Blocking.run { [self] in
            var reader = self
            return (try reader.next(), reader)
        }
        self = rest
        return piece
    }
}

/// Writes a file, sealed where there are keys, as it is where there are none. Its copies share one file and must not be
/// used together.
struct SealedFileWriter: Sendable {
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
    mutating func write(_ bytes: some Collection<UInt8>) throws {
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
        guard number < .max else { throw FileTransferError(.tooLarge, "The file has too many pieces.") }
        number += 1
    }
}

extension SealedFileWriter {
    /// Does something with the file on a thread that may block.
    mutating func withoutBlocking(_ body: @escaping @Sendable (inout SealedFileWriter) throws -> Void) async throws {
        self = try await Blocking.run { [self] in
            var writer = self
            try body(&writer)
            return writer
        }
    }
}
