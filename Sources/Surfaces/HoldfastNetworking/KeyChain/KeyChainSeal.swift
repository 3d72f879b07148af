import Crypto
import Foundation

/// Seals values, each to its service, its name and the version of the format: AES-256-GCM (NIST SP 800-38D) with a
/// random nonce of 96 bits for each write, below the 2^32 writes that section 8.3 of it allows to one key.
///
/// Layout: `HFKC`, the version (1), eight bytes that tell keys apart, the nonce (12), the ciphertext, the tag (16).
struct KeyChainSeal: Sendable {
    static let magic = Array("HFKC".utf8)
    static let version: UInt8 = 1
    private static let identifierLength = 8
    private static let headLength = magic.count + 1 + identifierLength
    /// What a value grows by.
    static let overhead = headLength + 12 + 16

    private let key: SymmetricKey
    private let identifier: [UInt8]

    /// Derives the sealing key and its identifier (HKDF, RFC 5869); the identifier tells nothing about the key.
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
        else { throw KeyChainFileError(.storage, "The value cannot be sealed.") }
        return Self.magic + [Self.version] + identifier + combined
    }

    /// Opens what was sealed for this service and name.
    func open(_ bytes: [UInt8], service: String, name: String) throws(KeyChainFileError) -> [UInt8] {
        guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count else {
            throw KeyChainFileError(.damaged, "The file does not begin as a sealed value does.")
        }
        guard bytes[Self.magic.count] == Self.version else {
            throw KeyChainFileError(.unknownVersion, "The value has version \(bytes[Self.magic.count]) of the format.")
        }
        guard bytes.count >= Self.overhead else {
            throw KeyChainFileError(.damaged, "The value is cut short: \(bytes.count) bytes.")
        }
        guard bytes[Self.magic.count + 1..<Self.headLength] == identifier[...] else {
            throw KeyChainFileError(.wrongKey, "The value was sealed with another key.")
        }
        guard let box = try? AES.GCM.SealedBox(combined: bytes[Self.headLength...]),
            let value = try? AES.GCM.open(box, using: key, authenticating: context(service: service, name: name))
        else {
            throw KeyChainFileError(.damaged, "The value was changed, or was put there in the place of another.")
        }
        return Array(value)
    }

    /// What a value is sealed to. The lengths keep one pair of names from reading as another.
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
