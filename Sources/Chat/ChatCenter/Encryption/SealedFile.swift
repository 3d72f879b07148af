import Crypto
import Foundation

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
            let reader = try SealedFileReader(url, keys: keys)
            return try reader.next() != nil
        } catch {
            return false
        }
    }

    /// The failure of a file that is not what was written under its name.
    static let tampered = ChatStorageError(.tampered, "A kept file is not what was written under its name.")
}
