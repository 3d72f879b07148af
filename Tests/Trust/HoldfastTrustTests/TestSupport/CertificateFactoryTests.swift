import Crypto
import HoldfastTestSupport
import HoldfastTrust
import SwiftASN1
import Testing
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Certificate factory")
struct CertificateFactoryTests {
    let factory = CertificateFactory()

    private func parse(_ der: [UInt8]) throws -> Certificate {
        try Certificate(derEncoded: der)
    }

    @Test("swift-certificates reads the names, dates and extensions of a chain")
    func chain() throws {
        let root = try factory.authority("Root")
        let middle = try factory.intermediate("Middle", signedBy: root, .init(pathLength: 0))
        let leaf = try factory.leaf(
            ["example.test", "*.example.test"], ipAddresses: ["127.0.0.1", "::1"], signedBy: middle)

        #expect(leaf.chain == [leaf.certificateDER, middle.certificateDER])
        #expect(leaf.rootDER == root.certificateDER)
        #expect(root.chain == [root.certificateDER])
        #expect(root.rootDER == nil)

        let parsed = try parse(leaf.certificateDER)
        #expect(parsed.version == .v3)
        #expect(parsed.issuer == (try parse(middle.certificateDER)).subject)
        #expect(parsed.publicKey.isValidSignature(parsed.signature, for: parsed) == false)
        #expect(try parse(middle.certificateDER).publicKey.isValidSignature(parsed.signature, for: parsed))
        #expect(parsed.notValidBefore.timeIntervalSince1970 == 1_931_342_400 - 86_400)
        #expect(parsed.notValidAfter.timeIntervalSince1970 == 1_931_342_400 + 90 * 86_400)
        let names = try #require(try parsed.extensions.subjectAlternativeNames)
        #expect(
            Array(names) == [
                .dnsName("example.test"), .dnsName("*.example.test"),
                .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                .ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
            ])
        #expect(try parsed.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
        #expect(try parsed.extensions.basicConstraints == .notCertificateAuthority)

        let authority = try parse(middle.certificateDER)
        #expect(try authority.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        #expect(try authority.extensions.keyUsage?.keyCertSign == true)
        #expect(try authority.extensions.extendedKeyUsage == nil)
        #expect(
            try authority.extensions.authorityKeyIdentifier?.keyIdentifier
                == parse(root.certificateDER).extensions.subjectKeyIdentifier?.keyIdentifier)
    }

    @Test("every kind of key can sign and is read back", arguments: KeyKind.allCases)
    func keys(kind: KeyKind) throws {
        let key = try Key.shared(kind, "factory test")
        let identity = try factory.authority("Root", .init(key: key))
        #expect(identity.privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(identity.key.publicKeyInfo == key.publicKeyInfo)
        // swift-certificates does not read RSA keys below 2048 bits, which this test does not cover.
        guard kind != .rsa1024 else { return }
        let parsed = try parse(identity.certificateDER)
        #expect(parsed.publicKey.isValidSignature(parsed.signature, for: parsed))
        let read = try Certificate.PrivateKey(pemEncoded: identity.privateKeyPEM)
        #expect(read.publicKey == parsed.publicKey)
    }

    @Test("a shared key is created once for each name")
    func sharedKeys() throws {
        #expect(try Key.shared(.p256, "a").spkiDigest == Key.shared(.p256, "a").spkiDigest)
        #expect(try Key.shared(.p256, "a").spkiDigest != Key.shared(.p256, "b").spkiDigest)
        #expect(try Key(.p256).spkiDigest != Key(.p256).spkiDigest)
    }

    @Test("the pin of an identity is the hash of the SPKI in its certificate")
    func pin() throws {
        let leaf = try factory.leaf(["a.test"], signedBy: nil)
        let parsed = try parse(leaf.certificateDER)
        var serializer = DER.Serializer()
        try serializer.serialize(parsed.publicKey)
        #expect(leaf.spkiDigest == SPKIDigest(hashing: serializer.serializedBytes))
    }

    @Test("renewal keeps only the key")
    func renewal() throws {
        let root = try factory.authority("Root")
        let old = try factory.leaf(["a.test"], signedBy: root)
        let new = try factory.leaf(["a.test"], signedBy: root, .init(key: old.key))
        #expect(old.spkiDigest == new.spkiDigest)
        #expect(old.certificateDER != new.certificateDER)
    }

    @Test("a cross-signed authority has the same name and key under another issuer")
    func crossSigned() throws {
        let old = try factory.authority("Old root")
        let new = try factory.authority("New root")
        let cross = try factory.intermediate("New root", signedBy: old, .init(key: new.key))
        let leaf = try factory.leaf(["a.test"], signedBy: new)
        let parsed = try parse(leaf.certificateDER)
        let issuer = try parse(cross.certificateDER)
        #expect(issuer.subject == parsed.issuer)
        #expect(issuer.publicKey.isValidSignature(parsed.signature, for: parsed))
        #expect(try issuer.issuer == parse(old.certificateDER).subject)
    }

    @Test("a self-signed leaf has its own name as issuer")
    func selfSigned() throws {
        let leaf = try factory.leaf(["a.test"], signedBy: nil)
        let parsed = try parse(leaf.certificateDER)
        #expect(parsed.issuer == parsed.subject)
        #expect(parsed.publicKey.isValidSignature(parsed.signature, for: parsed))
        #expect(try parsed.extensions.authorityKeyIdentifier == nil)
    }

    @Test("dates from 2050 are written as GeneralizedTime")
    func farDates() throws {
        let end = Timestamp(secondsSince1970: 4_102_444_799)  // 2099-12-31T23:59:59Z
        let start = Timestamp(secondsSince1970: -1)  // 1969-12-31T23:59:59Z
        let leaf = try factory.leaf(["a.test"], signedBy: nil, .init(notBefore: start, notAfter: end))
        let parsed = try parse(leaf.certificateDER)
        #expect(parsed.notValidAfter.timeIntervalSince1970 == 4_102_444_799)
        #expect(parsed.notValidBefore.timeIntervalSince1970 == -1)
        #expect(leaf.certificateDER.firstRange(of: Array("20991231235959Z".utf8)) != nil)
        #expect(leaf.certificateDER.firstRange(of: Array("691231235959Z".utf8)) != nil)
    }

    @Test(
        "refuses an invalid address", arguments: ["", "1.2.3", "256.1.1.1", "::1::", ":::", "g::", "1.2.3.4.5"])
    func badAddress(text: String) {
        #expect(throws: CertificateFactoryError.notAnAddress(text)) {
            try factory.leaf([], ipAddresses: [text], signedBy: nil)
        }
    }
}
