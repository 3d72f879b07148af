import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A public key of a certificate, prepared to verify signatures.
///
/// Creating one takes a tenth of the time of a verification, so each certificate keeps its own key. Anchors keep it as
/// long as they are trusted.
enum VerificationKey: Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
    case rsa(_RSA.Signing.PublicKey)

    /// Reads the key of a SubjectPublicKeyInfo. Returns `nil` if the key is malformed, too weak, too long or of an
    /// unknown kind.
    init?(_ algorithm: PublicKeyAlgorithm, bits: ArraySlice<UInt8>, spki: ArraySlice<UInt8>) {
        // The size is checked before the key is used, because a modulus of many thousand bits takes seconds.
        guard algorithm.weakness == nil else { return nil }
        do {
            switch algorithm {
            case .p256: self = .p256(try P256.Signing.PublicKey(x963Representation: bits))
            case .p384: self = .p384(try P384.Signing.PublicKey(x963Representation: bits))
            case .p521: self = .p521(try P521.Signing.PublicKey(x963Representation: bits))
            case .ed25519: self = .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: bits))
            case .rsa: self = .rsa(try _RSA.Signing.PublicKey(derRepresentation: spki))
            case .unknown: return nil
            }
        } catch {
            return nil
        }
    }

    /// Returns whether a signature over `message` is valid. Returns `false` for a weak or unsupported algorithm, an
    /// algorithm that does not match the key, and a malformed signature.
    func isValid(
        _ signature: ArraySlice<UInt8>, _ algorithm: SignatureAlgorithm, message: ArraySlice<UInt8>
    ) -> Bool {
        switch algorithm {
        case .ed25519:
            guard case .ed25519(let key) = self else { return false }
            return key.isValidSignature(signature, for: message)
        case .ecdsa(let hash), .rsaPKCS1(let hash), .rsaPSS(let hash):
            switch hash {
            case .sha256: return isValid(signature, algorithm, SHA256.hash(data: message))
            case .sha384: return isValid(signature, algorithm, SHA384.hash(data: message))
            case .sha512: return isValid(signature, algorithm, SHA512.hash(data: message))
            }
        case .weak, .unsupported:
            return false
        }
    }

    private func isValid(
        _ signature: ArraySlice<UInt8>, _ algorithm: SignatureAlgorithm, _ digest: some Digest
    ) -> Bool {
        switch (self, algorithm) {
        case (.p256(let key), .ecdsa):
            guard let raw = VerificationKey.raw(signature, width: 32),
                let value = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(value, for: digest)
        case (.p384(let key), .ecdsa):
            guard let raw = VerificationKey.raw(signature, width: 48),
                let value = try? P384.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(value, for: digest)
        case (.p521(let key), .ecdsa):
            guard let raw = VerificationKey.raw(signature, width: 66),
                let value = try? P521.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(value, for: digest)
        case (.rsa(let key), .rsaPKCS1):
            let value = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
            return key.isValidSignature(value, for: digest, padding: .insecurePKCS1v1_5)
        case (.rsa(let key), .rsaPSS):
            let value = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
            return key.isValidSignature(value, for: digest, padding: .PSS)
        default:
            return false
        }
    }

    /// Returns the two numbers of an ECDSA signature (RFC 3279, 2.2.3), `width` bytes each, or `nil` if they are
    /// malformed or too large. This avoids the library's conversion from DER and back.
    private static func raw(_ der: ArraySlice<UInt8>, width: Int) -> Data? {
        do throws(DERFault) {
            let bytes = Array(der)
            var pair = try DERReader(bytes).onlyElement()
            var raw = Data(capacity: 2 * width)
            for _ in 0..<2 {
                var number = try pair.readInteger()
                guard bytes[number.lowerBound] & 0x80 == 0 else { return nil }
                if bytes[number.lowerBound] == 0 { number = number.dropFirst() }
                guard number.count <= width else { return nil }
                raw.append(contentsOf: repeatElement(0, count: width - number.count))
                raw.append(contentsOf: bytes[number])
            }
            try pair.finish()
            return raw
        } catch {
            return nil
        }
    }
}
