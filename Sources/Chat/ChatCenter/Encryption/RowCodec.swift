import Crypto
import HoldfastBase
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts records to the bytes of rows and back. With keys, the bytes are encrypted with AES-GCM (NIST SP 800-38D)
/// and bound to their place.
///
/// Encryption does not hide the number of rows, their sizes, the times of messages, and which messages wait to be sent.
/// It does not detect that the whole file was replaced by an earlier version.
struct RowCodec: Sendable {
    /// The first byte of an encrypted record: its format version.
    private static let version: UInt8 = 1

    let keys: StoreKeys?

    /// Returns the name for lookups of a row. In an encrypted store it is a keyed hash, which reveals only equality.
    func name(_ text: String) -> String {
        guard let keys else { return text }
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: keys.names)
        return Array(code).prefix(16).hexadecimal
    }

    /// Returns the bytes for a row. Uses a new random nonce each time.
    func seal(_ bytes: [UInt8], at place: RowPlace) throws -> Data {
        guard let keys else { return Data(bytes) }
        let box = try AES.GCM.seal(bytes, using: keys.rows, authenticating: place.bytes)
        return Data([Self.version] + box.nonce + box.ciphertext + box.tag)
    }

    /// Returns the record. Throws ``ChatStorageError`` if the row was changed or moved.
    func open(_ data: Data, at place: RowPlace) throws -> [UInt8] {
        guard let keys else { return Array(data) }
        do {
            guard data.first == Self.version else { throw CryptoKitError.authenticationFailure }
            let box = try AES.GCM.SealedBox(combined: data.dropFirst())
            return Array(try AES.GCM.open(box, using: keys.rows, authenticating: place.bytes))
        } catch {
            throw ChatStorageError(.tampered, "A row of the table “\(place.table)” was changed, moved or damaged.")
        }
    }
}

/// The place of a row. An encrypted record is bound to it and cannot be decrypted at another place.
struct RowPlace: Hashable, Sendable {
    /// The table.
    var table: String
    /// The values of its text columns, as stored.
    var names: [String]
    /// The values of its integer columns.
    var numbers: [Int64] = []

    /// The place as bytes. Each part includes its length, so that different places have different bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in [table] + names {
            let text = Array(part.utf8)
            append(UInt64(text.count), to: &bytes)
            bytes += text
        }
        append(UInt64(numbers.count), to: &bytes)
        for number in numbers { append(UInt64(bitPattern: number), to: &bytes) }
        return bytes
    }

    private func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}
