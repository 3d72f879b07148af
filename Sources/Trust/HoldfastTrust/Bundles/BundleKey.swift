import HoldfastBase
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A public key that may sign bundles. Its algorithm belongs to it: a bundle cannot choose another.
public struct BundleKey: Hashable, Sendable {
    private enum Storage: Sendable {
        case ed25519(Curve25519.Signing.PublicKey)
        case es256(P256.Signing.PublicKey)
    }

    /// The name by which bundles refer to the key.
    public let id: String
    /// The SubjectPublicKeyInfo.
    public let subjectPublicKeyInfo: [UInt8]
    private let storage: Storage

    /// Takes a SubjectPublicKeyInfo, PEM or DER, of an Ed25519 or P-256 key.
    ///
    /// Throws ``BundleError`` `unknownKey` for anything else, or for an empty id. For a file of another kind (a private key, a
    /// certificate) the reason has the command that makes the public key of it.
    public init(id: String, publicKey bytes: [UInt8]) throws(BundleError) {
        guard !id.isEmpty, id.utf8.count <= 128 else {
            throw BundleError(.unknownKey, "A key id has 1 to 128 bytes.")
        }
        self.id = id
        let contents = KeyFileContents(bytes)
        if let advice = contents.adviceForPublicKey {
            throw BundleError(.unknownKey, "The public key \"\(Printable.text(id))\" cannot be used: \(advice)")
        }
        let der: [UInt8]
        do throws(CertificateError) {
            der = PEMReader.isPEM(bytes) ? try PEMReader.blocks(in: bytes).first?.der ?? [] : bytes
        } catch {
            throw BundleError(.unknownKey, "The public key \"\(Printable.text(id))\" cannot be read: \(error.reason)")
        }
        subjectPublicKeyInfo = der
        let prefix = BundleKey.ed25519Prefix
        if der.count == 44, der.starts(with: prefix),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: der.suffix(32))
        {
            storage = .ed25519(key)
        } else if let key = try? P256.Signing.PublicKey(derRepresentation: der) {
            storage = .es256(key)
        } else {
            throw BundleError(.unknownKey, "The public key \"\(Printable.text(id))\" is neither Ed25519 nor P-256.")
        }
    }

    /// The beginning of an Ed25519 SubjectPublicKeyInfo (RFC 8410, 4); its 32 bytes of key follow.
    static let ed25519Prefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]

    /// The key's algorithm.
    public var algorithm: BundleAlgorithm {
        switch storage {
        case .ed25519: .ed25519
        case .es256: .es256
        }
    }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch storage {
        case .ed25519(let key): return key.isValidSignature(signature, for: message)
        case .es256(let key):
            guard let value = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(value, for: message)
        }
    }

    public static func == (lhs: BundleKey, rhs: BundleKey) -> Bool {
        lhs.id == rhs.id && lhs.subjectPublicKeyInfo == rhs.subjectPublicKeyInfo
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(subjectPublicKeyInfo)
    }
}

/// How a bundle is signed.
public enum BundleAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// RFC 8032.
    case ed25519
    /// ECDSA over P-256 with SHA-256, the signature as r and s of 32 bytes each (RFC 7518, 3.4).
    case es256
}
