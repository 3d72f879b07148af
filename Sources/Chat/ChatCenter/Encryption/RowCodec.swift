import HoldfastBase
import Crypto
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns a record into the bytes of a row and back: as it is, or sealed with AES-GCM (NIST SP 800-38D) and bound to its
/// place.
///
/// What sealing does not hide: how many rows there are, how long they are, when they were sent, and which wait to be
/// sent. What it does not notice: the whole file put back to an earlier state.
struct RowCodec: Sendable {
    /// The first byte of a sealed record: the form of what follows.
    private static let version: UInt8 = 1

    let keys: StoreKeys?

    /// A name to look rows up by. Sealed, it is a keyed hash: the same name is the same text, and no more is told.
    func name(_ text: String) -> String {
        guard let keys else { return text }
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: keys.names)
        return Array(code).prefix(16).hexadecimal
    }

    /// The bytes for a row. The nonce is fresh and random each time.
    func seal(_ bytes: [UInt8], at place: RowPlace) throws -> Data {
        guard let keys else { return Data(bytes) }
        let box = try AES.GCM.seal(bytes, using: keys.rows, authenticating: place.bytes)
        return Data([Self.version] + box.nonce + box.ciphertext + box.tag)
    }

    /// The record. Throws ``ChatStorageError`` where the row is not what was written at this place.
    func open(_ data: Data, at place: RowPlace) throws -> [UInt8] {
        guard let keys else { return Array(data) }
        do {
            guard data.first == Self.version else { throw CryptoKitError.authenticationFailure }
            let box = try AES.GCM.SealedBox(combined: data.dropFirst())
            return Array(try AES.GCM.open(box, using: keys.rows, authenticating: place.bytes))
        } catch {
            throw ChatStorageError(.tampered, "A row of the table “\(place.table)” is not what was written there.")
        }
    }
}

/// Where a row stands: what a sealed record is bound to, so that it opens nowhere else.
struct RowPlace: Hashable, Sendable {
    /// The table.
    var table: String
    /// The names in its columns, as they are written there.
    var names: [String]
    /// The numbers in its columns.
    var numbers: [Int64] = []

    /// The same as bytes, each part with its length: no two places have the same ones.
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
