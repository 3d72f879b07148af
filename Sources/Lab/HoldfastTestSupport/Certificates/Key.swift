import Crypto
import CryptoExtras
public import HoldfastTrust
import SwiftASN1
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A private key for tests.
///
/// Two certificates with the same key have the same SPKI hash. Use this for renewals and cross-signed authorities.
public struct Key: Sendable {
    enum Storage: Sendable {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    let storage: Storage

    /// The kind of key.
    public let kind: KeyKind
    /// The DER bytes of its SubjectPublicKeyInfo.
    public let publicKeyInfo: [UInt8]
    /// The private key as PKCS #8 PEM.
    public let privateKeyPEM: String

    /// Generates a key. An RSA key takes tens of milliseconds or more: see ``shared(_:_:)``.
    public init(_ kind: KeyKind = .p256) throws {
        self.kind = kind
        switch kind {
        case .p256:
            let key = P256.Signing.PrivateKey()
            storage = .p256(key)
            publicKeyInfo = Array(key.publicKey.derRepresentation)
            privateKeyPEM = key.pemRepresentation
        case .p384:
            let key = P384.Signing.PrivateKey()
            storage = .p384(key)
            publicKeyInfo = Array(key.publicKey.derRepresentation)
            privateKeyPEM = key.pemRepresentation
        case .p521:
            let key = P521.Signing.PrivateKey()
            storage = .p521(key)
            publicKeyInfo = Array(key.publicKey.derRepresentation)
            privateKeyPEM = key.pemRepresentation
        case .ed25519:
            let key = Curve25519.Signing.PrivateKey()
            let algorithm = DERBytes.sequence([DERBytes.objectIdentifier("1.3.101.112")])
            storage = .ed25519(key)
            publicKeyInfo = DERBytes.sequence([algorithm, DERBytes.bitString(Array(key.publicKey.rawRepresentation))])
            let inner = DERBytes.octetString(Array(key.rawRepresentation))
            let outer = DERBytes.sequence([DERBytes.unsignedInteger([0]), algorithm, DERBytes.octetString(inner)])
            privateKeyPEM = PEMDocument(type: "PRIVATE KEY", derBytes: outer).pemString
        case .rsa1024, .rsa2048, .rsa4096:
            let key: _RSA.Signing.PrivateKey =
                switch kind {
                case .rsa1024: try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
                case .rsa4096: try _RSA.Signing.PrivateKey(keySize: .bits4096)
                default: try _RSA.Signing.PrivateKey(keySize: .bits2048)
                }
            storage = .rsa(key)
            publicKeyInfo = Array(key.publicKey.derRepresentation)
            privateKeyPEM = key.pkcs8PEMRepresentation
        }
    }

    /// The SHA-256 hash of the SubjectPublicKeyInfo, which is the value of a pin for this key.
    public var spkiDigest: SPKIDigest { SPKIDigest(hashing: publicKeyInfo) }

    /// The public key as PEM (`PUBLIC KEY`).
    public var publicKeyPEM: String { PEMDocument(type: "PUBLIC KEY", derBytes: publicKeyInfo).pemString }
}

extension Key {
    private static let shared = Mutex<[String: Key]>([:])

    /// Returns the key of this kind and name. It is generated once per process, then reused.
    ///
    /// Use a different name for each role in a test ("root", "rogue root"), because two certificates with one shared
    /// key have the same SPKI hash.
    public static func shared(_ kind: KeyKind, _ name: String) throws -> Key {
        // The key is generated under the lock, so that concurrent callers do not generate an expensive key twice.
        try shared.withLock { keys in
            let label = kind.rawValue + "/" + name
            if let key = keys[label] { return key }
            let key = try Key(kind)
            keys[label] = key
            return key
        }
    }
}

/// The kinds of keys that ``CertificateFactory`` generates.
public enum KeyKind: String, Hashable, Sendable, CaseIterable {
    case p256
    case p384
    case p521
    case ed25519
    /// RSA with 1024 bits, which verifiers must refuse as too weak.
    case rsa1024
    case rsa2048
    case rsa4096

    /// Whether generating such a key is slow enough to matter in a test. Use ``Key/shared(_:_:)`` for such keys.
    public var isExpensive: Bool {
        switch self {
        case .rsa1024, .rsa2048, .rsa4096: true
        case .p256, .p384, .p521, .ed25519: false
        }
    }
}
