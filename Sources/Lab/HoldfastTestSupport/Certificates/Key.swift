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

/// A private key of a test's own making.
///
/// Give the same value to two certificates and both have the same SPKI hash: that is how renewals and cross-signed
/// authorities are made.
public struct Key: Sendable {
    enum Storage: Sendable {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    let storage: Storage

    /// What kind of key it is.
    public let kind: KeyKind
    /// The DER bytes of its SubjectPublicKeyInfo.
    public let publicKeyInfo: [UInt8]
    /// The private key as PKCS #8 PEM.
    public let privateKeyPEM: String

    /// Makes a fresh key. RSA keys take tens of milliseconds and more: see ``shared(_:_:)``.
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

    /// The SHA-256 of the SubjectPublicKeyInfo: what a pin for this key holds.
    public var spkiDigest: SPKIDigest { SPKIDigest(hashing: publicKeyInfo) }

    /// The public key as PEM (`PUBLIC KEY`).
    public var publicKeyPEM: String { PEMDocument(type: "PUBLIC KEY", derBytes: publicKeyInfo).pemString }
}

extension Key {
    private static let shared = Mutex<[String: Key]>([:])

    /// The key of this kind and name: made once in a process, then always the same.
    ///
    /// Name each part that a test needs apart ("root", "rogue root" …): two certificates with one shared key have the
    /// same SPKI hash.
    public static func shared(_ kind: KeyKind, _ name: String) throws -> Key {
        // Made under the lock: the second asker would otherwise make an expensive key only to throw it away.
        try shared.withLock { keys in
            let label = kind.rawValue + "/" + name
            if let key = keys[label] { return key }
            let key = try Key(kind)
            keys[label] = key
            return key
        }
    }
}

/// The kinds of key that ``CertificateFactory`` makes.
public enum KeyKind: String, Hashable, Sendable, CaseIterable {
    case p256
    case p384
    case p521
    case ed25519
    /// Too weak for any verifier. For attacks.
    case rsa1024
    case rsa2048
    case rsa4096

    /// Whether making such a key takes long enough to matter in a test: use ``Key/shared(_:_:)`` then.
    public var isExpensive: Bool {
        switch self {
        case .rsa1024, .rsa2048, .rsa4096: true
        case .p256, .p384, .p521, .ed25519: false
        }
    }
}
