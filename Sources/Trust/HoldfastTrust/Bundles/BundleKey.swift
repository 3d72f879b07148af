import HoldfastBase
import Crypto

/// A public key that may sign bundles. The algorithm is a property of the key; a bundle cannot choose another.
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

    /// Creates a key from the SubjectPublicKeyInfo, in PEM or DER, of an Ed25519 or P-256 key.
    ///
    /// - Throws: ``BundleError`` with the code `unknownKey` for any other input or an empty id. For a file of another
    ///   kind (a private key, a certificate), the reason contains the command that extracts the public key.
    public init(id: String, publicKey bytes: [UInt8]) throws(BundleError) {
        guard !id.isEmpty, id.utf8.count <= 128 else {
            throw BundleError(.unknownKey, "The key id must have 1 to 128 bytes.")
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
            throw BundleError(.unknownKey, "The public key \"\(Printable.text(id))\" is not an Ed25519 or P-256 key.")
        }
    }

    /// The prefix of an Ed25519 SubjectPublicKeyInfo (RFC 8410, 4), which the 32 key bytes follow.
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

    /// Returns whether two values are equal.
    public static func == (lhs: BundleKey, rhs: BundleKey) -> Bool {
        lhs.id == rhs.id && lhs.subjectPublicKeyInfo == rhs.subjectPublicKeyInfo
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(subjectPublicKeyInfo)
    }
}

/// The signature algorithm of a bundle.
public enum BundleAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// Ed25519 (RFC 8032).
    case ed25519
    /// ECDSA over P-256 with SHA-256. The signature consists of r and s with 32 bytes each (RFC 7518, 3.4).
    case es256
}
