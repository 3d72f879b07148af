import Crypto

/// A private key that signs bundles. It belongs on the machine of the operator of the pins, never in an app.
public struct BundleSigningKey: Sendable {
    private enum Storage: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case es256(P256.Signing.PrivateKey)
    }

    /// The name by which bundles refer to the key.
    public let id: String
    private let storage: Storage

    /// Generates a new key.
    public init(generating algorithm: BundleAlgorithm, id: String) {
        self.id = id
        storage =
            switch algorithm {
            case .ed25519: .ed25519(Curve25519.Signing.PrivateKey())
            case .es256: .es256(P256.Signing.PrivateKey())
            }
    }

    /// Reads a PKCS#8 private key in PEM, Ed25519 or P-256. For P-256, the older `EC PRIVATE KEY` format is also read.
    ///
    /// - Throws: ``BundleError`` with the code `unknownKey` for any other input. The error never quotes the file. For a
    ///   file of another kind (an encrypted key, a public key), the reason contains the command that helps.
    public init(id: String, pem: [UInt8]) throws(BundleError) {
        self.id = id
        if let advice = KeyFileContents(pem).adviceForPrivateKey { throw BundleError(.unknownKey, advice) }
        let block = (try? PEMReader.blocks(in: pem))?.first { $0.isPrivateKey }
        guard let der = block?.der else {
            throw BundleError(.unknownKey, "The PEM text of the private key is malformed.")
        }
        let prefix = BundleSigningKey.ed25519Prefix
        if der.count == prefix.count + 32, der.starts(with: prefix),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: der.suffix(32))
        {
            storage = .ed25519(key)
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: pem, as: UTF8.self)) {
            storage = .es256(key)
        } else {
            throw BundleError(.unknownKey, "The private key is not an Ed25519 or P-256 key.")
        }
    }

    /// The prefix of an Ed25519 key in PKCS#8 (RFC 8410, 7), which the 32 key bytes follow.
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    /// The key's algorithm.
    public var algorithm: BundleAlgorithm {
        switch storage {
        case .ed25519: .ed25519
        case .es256: .es256
        }
    }

    /// The private key as PKCS#8 in PEM. Keep it secret.
    public var privateKeyPEM: String {
        switch storage {
        case .ed25519(let key): PEMBlock.text("PRIVATE KEY", BundleSigningKey.ed25519Prefix + key.rawRepresentation)
        case .es256(let key): key.pemRepresentation + "\n"
        }
    }

    /// The public key as a SubjectPublicKeyInfo in PEM, for the app.
    public var publicKeyPEM: String {
        switch storage {
        case .ed25519(let key): PEMBlock.text("PUBLIC KEY", BundleKey.ed25519Prefix + key.publicKey.rawRepresentation)
        case .es256(let key): key.publicKey.pemRepresentation + "\n"
        }
    }

    func sign(_ message: [UInt8]) throws(BundleError) -> [UInt8] {
        do {
            switch storage {
            case .ed25519(let key): return Array(try key.signature(for: message))
            case .es256(let key): return Array(try key.signature(for: message).rawRepresentation)
            }
        } catch {
            throw BundleError(.badSignature, "The key failed to sign the bundle.")
        }
    }
}
