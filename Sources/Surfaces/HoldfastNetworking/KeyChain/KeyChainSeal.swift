import Crypto
import Foundation

/// Seals each value to its service, its name and the format version, with AES-256-GCM (NIST SP 800-38D). Each write
/// uses a random 96-bit nonce; section 8.3 of the standard allows 2^32 writes per key.
///
/// Layout: `HFKC`, the version (1), an identifier of the key (8), the nonce (12), the ciphertext, the tag (16).
struct KeyChainSeal: Sendable {
    static let magic = Array("HFKC".utf8)
    static let version: UInt8 = 1
    private static let identifierLength = 8
    private static let headLength = magic.count + 1 + identifierLength
    /// The number of bytes that sealing adds to a value.
    static let overhead = headLength + 12 + 16

    private let key: SymmetricKey
    private let identifier: [UInt8]

    /// Derives the sealing key and its identifier (HKDF, RFC 5869). The identifier reveals nothing about the key.
    init(master: SymmetricKey) {
        func derive(_ purpose: String, _ length: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: master, info: Data("holdfast key chain, \(purpose)".utf8), outputByteCount: length)
        }
        key = derive("values", 32)
        identifier = derive("identifier", Self.identifierLength).withUnsafeBytes { Array($0) }
    }

    /// Seals a value.
    func seal(_ value: [UInt8], service: String, name: String) throws(KeyChainFileError) -> [UInt8] {
        guard
            let box = try? AES.GCM.seal(value, using: key, authenticating: context(service: service, name: name)),
            let combined = box.combined
        else { throw KeyChainFileError(.storage, "The value could not be encrypted.") }
        return Self.magic + [Self.version] + identifier + combined
    }

    /// Opens a value that was sealed for this service and name.
    func open(_ bytes: [UInt8], service: String, name: String) throws(KeyChainFileError) -> [UInt8] {
        guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count else {
            throw KeyChainFileError(.damaged, "The file does not start with the header of a sealed value.")
        }
        guard bytes[Self.magic.count] == Self.version else {
            throw KeyChainFileError(
                .unknownVersion, "The value has the unknown format version \(bytes[Self.magic.count]).")
        }
        guard bytes.count >= Self.overhead else {
            throw KeyChainFileError(.damaged, "The value is truncated: it has only \(bytes.count) bytes.")
        }
        guard bytes[Self.magic.count + 1..<Self.headLength] == identifier[...] else {
            throw KeyChainFileError(.wrongKey, "The value was sealed with another key.")
        }
        guard let box = try? AES.GCM.SealedBox(combined: bytes[Self.headLength...]),
            let value = try? AES.GCM.open(box, using: key, authenticating: context(service: service, name: name))
        else {
            throw KeyChainFileError(.damaged, "The value was modified or moved from another name.")
        }
        return Array(value)
    }

    /// The data that authenticates a value's context. The lengths make it unambiguous.
    private func context(service: String, name: String) -> [UInt8] {
        var bytes = Self.magic + [Self.version] + identifier
        for text in [service, name] {
            let utf8 = Array(text.utf8)
            withUnsafeBytes(of: UInt64(utf8.count).bigEndian) { bytes += $0 }
            bytes += utf8
        }
        return bytes
    }
}
