import Crypto
import CryptoExtras
import HoldfastTestSupport
import HoldfastTrust
import SwiftASN1
import Testing
import X509

@Suite("Sources of pins")
struct PinSourceTests {
    private let key: Key
    private let certificate: Identity

    init() throws {
        key = try Key(.p384)
        certificate = try CertificateFactory().authority("Root", .init(key: key))
    }

    private func request(for key: Key, attributes: CertificateSigningRequest.Attributes = .init()) throws -> [UInt8] {
        let request = try CertificateSigningRequest(
            version: .v1, subject: DistinguishedName { CommonName("a.test") },
            privateKey: Certificate.PrivateKey(pemEncoded: key.privateKeyPEM), attributes: attributes,
            signatureAlgorithm: .ecdsaWithSHA384)
        var serializer = DER.Serializer()
        try serializer.serialize(request)
        return serializer.serializedBytes
    }

    private func pem(_ label: String, _ der: [UInt8]) -> [UInt8] {
        Array(PEMDocument(type: label, derBytes: der).pemString.utf8)
    }

    private func error(_ bytes: [UInt8]) -> HoldfastTrust.CertificateError? {
        do throws(HoldfastTrust.CertificateError) {
            _ = try PinSource.sources(in: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("a certificate, a request and a key give the same pin in DER and in PEM")
    func samePin() throws {
        let request = try request(for: key)
        for bytes in [
            certificate.certificateDER, Array(certificate.certificatePEM.utf8), request,
            pem("CERTIFICATE REQUEST", request), pem("NEW CERTIFICATE REQUEST", request), key.publicKeyInfo,
            Array(key.publicKeyPEM.utf8),
        ] {
            let sources = try PinSource.sources(in: bytes)
            #expect(sources.map(\.publicKey.digest) == [key.spkiDigest])
            #expect(sources.map(\.publicKey.der) == [key.publicKeyInfo])
        }
    }

    @Test("reports the kind of each source")
    func kinds() throws {
        let request = try request(for: key)
        let text = pem("CERTIFICATE", certificate.certificateDER) + [10] + pem("CERTIFICATE REQUEST", request) + [10]
        let sources = try PinSource.sources(in: text + Array((key.publicKeyPEM + "\n" + key.privateKeyPEM).utf8))
        let info = try PublicKeyInfo(der: key.publicKeyInfo)
        #expect(sources == [.certificate(certificate.view), .certificationRequest(info), .publicKey(info)])
    }

    @Test("an RSA key in PKCS #1 gives the pin of its SubjectPublicKeyInfo")
    func pkcs1() throws {
        let key = try Key.shared(.rsa2048, "pin source")
        let rsa = try _RSA.Signing.PublicKey(derRepresentation: key.publicKeyInfo)
        let pkcs1 = Array(rsa.pkcs1DERRepresentation)
        for bytes in [pkcs1, pem("RSA PUBLIC KEY", pkcs1)] {
            let info = try #require(PinSource.sources(in: bytes).first?.publicKey)
            #expect(info.der == key.publicKeyInfo)
            #expect(Array(info.rawKey) == pkcs1)
            #expect(info.rawKeyDigest == RawKeyDigest(hashing: pkcs1))
        }
    }

    @Test(
        "reports the kind and size of the key",
        arguments: [
            (.p256, "EC P-256"), (.p384, "EC P-384"), (.p521, "EC P-521"), (.ed25519, "Ed25519"),
            (.rsa1024, "RSA 1024"), (.rsa2048, "RSA 2048"),
        ] as [(KeyKind, String)])
    func descriptions(kind: KeyKind, expected: String) throws {
        let key = try Key.shared(kind, "pin source")
        let info = try PublicKeyInfo(der: key.publicKeyInfo)
        #expect(info.keyDescription == expected)
        let certificate = try CertificateFactory().authority("Root", .init(key: key))
        #expect(PublicKeyInfo(certificate.view) == info)
        #expect(PublicKeyInfo(certificate.view).rawKey == info.rawKey)
    }

    @Test("hashes a key of an unknown type")
    func unknownKey() throws {
        let der: [UInt8] = [0x30, 0x0b, 0x30, 0x05, 0x06, 0x03, 0x2a, 0x03, 0x04, 0x03, 0x02, 0x00, 0x07]
        let info = try PublicKeyInfo(der: der)
        #expect(info.digest == SPKIDigest(hashing: der))
        #expect(Array(info.rawKey) == [7])
        #expect(info.keyDescription == "1.2.3.4")
    }

    @Test("refuses a private key, names the command for its public key, and reveals nothing of the key")
    func privateKey() throws {
        let refusal = try #require(error(Array(key.privateKeyPEM.utf8)))
        #expect(refusal.code == .noCertificateInPEM)
        #expect(refusal.reason.contains("openssl pkey -in key.pem -pubout"))
        for line in key.privateKeyPEM.split(separator: "\n").dropFirst().dropLast() {
            #expect(!refusal.reason.contains(line))
        }
    }

    @Test("refuses damaged and unrelated bytes")
    func damaged() throws {
        let request = try request(for: key)
        #expect(error([])?.code == .empty)
        #expect(error(Array("hello".utf8))?.code == .malformedDER)
        #expect(error([0x30, 0x00])?.code == .notACertificate)
        #expect(error([0x30, 0x03, 0x02, 0x01, 0x05])?.code == .notACertificate)
        #expect(error(pem("CERTIFICATE REQUEST", key.publicKeyInfo))?.code == .notAPublicKey)
        #expect(error(pem("PUBLIC KEY", request))?.code == .notAPublicKey)
        #expect(error(pem("RSA PUBLIC KEY", key.publicKeyInfo))?.code == .notAPublicKey)
        #expect(error(pem("CERTIFICATE", request))?.code == .notACertificate)
        #expect(error(pem("DH PARAMETERS", [0x30, 0x00]))?.code == .noCertificateInPEM)
        #expect(error(key.publicKeyInfo + [0]) != nil)
        #expect(error(request + [0]) != nil)
        for bytes in [request, key.publicKeyInfo] {
            for count in 0..<bytes.count { #expect(error(Array(bytes.prefix(count))) != nil) }
        }
    }
}
