import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Verifies that one certificate was signed with the key of another.
enum SignatureCheck {
    /// Whether `child`'s signature verifies under `issuer`'s key. A weak or unsupported algorithm, a key that does not
    /// fit it or a malformed key verify nothing.
    static func isValid(_ child: ParsedCertificate, signedBy issuer: ParsedCertificate) -> Bool {
        isValid(
            message: child.der[child.tbs], signature: child.der[child.signature], child.signatureAlgorithm, key: issuer)
    }

    /// Whether a signature over `message` verifies under the key of a certificate.
    static func isValid(
        message: ArraySlice<UInt8>, signature: ArraySlice<UInt8>, _ algorithm: SignatureAlgorithm,
        key issuer: ParsedCertificate
    ) -> Bool {
        let key = issuer.der[issuer.keyBits]
        switch (algorithm, issuer.keyAlgorithm) {
        case (.ecdsa(let hash), .p256):
            guard let key = try? P256.Signing.PublicKey(x963Representation: key),
                let raw = rawSignature(signature, width: 32),
                let value = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return digest(message, hash) { key.isValidSignature(value, for: $0) }
        case (.ecdsa(let hash), .p384):
            guard let key = try? P384.Signing.PublicKey(x963Representation: key),
                let raw = rawSignature(signature, width: 48),
                let value = try? P384.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return digest(message, hash) { key.isValidSignature(value, for: $0) }
        case (.ecdsa(let hash), .p521):
            guard let key = try? P521.Signing.PublicKey(x963Representation: key),
                let raw = rawSignature(signature, width: 66),
                let value = try? P521.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return digest(message, hash) { key.isValidSignature(value, for: $0) }
        case (.ed25519, .ed25519):
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
            return key.isValidSignature(signature, for: message)
        case (.rsaPKCS1(let hash), .rsa), (.rsaPSS(let hash), .rsa):
            // The size is limited before the key is used: a modulus of many thousand bits costs seconds.
            guard issuer.keyAlgorithm.weakness == nil,
                let key = try? _RSA.Signing.PublicKey(derRepresentation: issuer.der[issuer.spki])
            else { return false }
            let padding: _RSA.Signing.Padding =
                if case .rsaPSS = algorithm { .PSS } else { .insecurePKCS1v1_5 }
            let value = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
            return digest(message, hash) { key.isValidSignature(value, for: $0, padding: padding) }
        default:
            return false
        }
    }

    /// The two numbers of an ECDSA signature (RFC 3279, 2.2.3) side by side, `width` bytes each; `nil` if they are malformed
    /// or too large. The library would take DER as well, and turn it to and fro.
    private static func rawSignature(_ der: ArraySlice<UInt8>, width: Int) -> [UInt8]? {
        do throws(DERFault) {
            let bytes = Array(der)
            var outer = DERReader(bytes)
            var pair = outer.inside(try outer.read(DERTag.sequence))
            try outer.finish()
            var raw: [UInt8] = []
            raw.reserveCapacity(2 * width)
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

    private static func digest(
        _ message: ArraySlice<UInt8>, _ hash: SignatureAlgorithm.Hash, verify: (any Digest) -> Bool
    ) -> Bool {
        switch hash {
        case .sha256: verify(SHA256.hash(data: message))
        case .sha384: verify(SHA384.hash(data: message))
        case .sha512: verify(SHA512.hash(data: message))
        }
    }
}
