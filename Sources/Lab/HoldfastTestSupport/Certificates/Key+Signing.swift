import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Key {
    /// The default hash for signatures with this key.
    var defaultHash: SignatureHash {
        switch kind {
        case .p384: .sha384
        case .p521: .sha512
        default: .sha256
        }
    }

    /// Returns the DER AlgorithmIdentifier for a signature with this key and hash. Ed25519 ignores the hash.
    package func signatureAlgorithm(_ hash: SignatureHash?) -> [UInt8] {
        let hash = hash ?? defaultHash
        switch storage {
        case .ed25519:
            return DERBytes.sequence([DERBytes.objectIdentifier("1.3.101.112")])
        case .p256, .p384, .p521:
            let oid =
                switch hash {
                case .md5, .sha1: "1.2.840.10045.4.1"
                case .sha256: "1.2.840.10045.4.3.2"
                case .sha384: "1.2.840.10045.4.3.3"
                case .sha512: "1.2.840.10045.4.3.4"
                }
            return DERBytes.sequence([DERBytes.objectIdentifier(oid)])
        case .rsa:
            let last =
                switch hash {
                case .md5: 4
                case .sha1: 5
                case .sha256: 11
                case .sha384: 12
                case .sha512: 13
                }
            return DERBytes.sequence([DERBytes.objectIdentifier("1.2.840.113549.1.1.\(last)"), DERBytes.null()])
        }
    }

    /// Signs bytes. Returns the contents of the certificate's BIT STRING.
    package func sign(_ bytes: [UInt8], _ hash: SignatureHash? = nil) throws -> [UInt8] {
        switch hash ?? defaultHash {
        case .sha1: try sign(bytes, digest: Insecure.SHA1.hash(data: bytes))
        case .md5, .sha256: try sign(bytes, digest: SHA256.hash(data: bytes))
        case .sha384: try sign(bytes, digest: SHA384.hash(data: bytes))
        case .sha512: try sign(bytes, digest: SHA512.hash(data: bytes))
        }
    }

    private func sign(_ bytes: [UInt8], digest: some Digest) throws -> [UInt8] {
        switch storage {
        case .p256(let key): Array(try key.signature(for: digest).derRepresentation)
        case .p384(let key): Array(try key.signature(for: digest).derRepresentation)
        case .p521(let key): Array(try key.signature(for: digest).derRepresentation)
        case .ed25519(let key): Array(try key.signature(for: bytes))
        case .rsa(let key):
            Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }
}

/// The hash of a certificate's signature.
public enum SignatureHash: String, Hashable, Sendable, CaseIterable {
    /// MD5. Only the identifier says MD5: the signature is made over SHA-256, because swift-crypto cannot sign MD5.
    /// This is enough to test that MD5 is refused by its identifier.
    case md5
    case sha1
    case sha256
    case sha384
    case sha512
}
