import Crypto
import Foundation

/// Reads a file that ``SealedFileWriter`` wrote with the same keys.
final class SealedFileReader {
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
    func next() throws -> [UInt8]? {
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
