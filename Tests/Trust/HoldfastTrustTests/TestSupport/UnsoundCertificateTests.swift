import HoldfastTestSupport
import HoldfastTrust
import SwiftASN1
import Testing
import X509

@Suite("Deliberately invalid certificates")
struct UnsoundCertificateTests {
    let factory = CertificateFactory()
    let root: Identity

    init() throws {
        root = try factory.authority("Root")
    }

    private func parse(_ identity: Identity) throws -> Certificate {
        try Certificate(derEncoded: identity.certificateDER)
    }

    private func rootVerifies(_ certificate: Certificate) throws -> Bool {
        try parse(root).publicKey.isValidSignature(certificate.signature, for: certificate)
    }

    @Test("an authority without the CA bit, and one without basic constraints")
    func noCA() throws {
        let denied = try parse(factory.intermediate("I", signedBy: root, .init(isCA: false)))
        #expect(try denied.extensions.basicConstraints == .notCertificateAuthority)
        let silent = try parse(factory.intermediate("I", signedBy: root, .init(omitting: [.basicConstraints])))
        #expect(try silent.extensions.basicConstraints == nil)
        #expect(try rootVerifies(silent))
    }

    @Test("a leaf that is an authority")
    func leafCA() throws {
        let leaf = try parse(factory.leaf(["a.test"], signedBy: root, .init(isCA: true)))
        #expect(try leaf.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: nil))
    }

    @Test("key usage without keyCertSign, and none at all")
    func keyUsage() throws {
        let weak = try parse(factory.intermediate("I", signedBy: root, .init(keyUsage: [.digitalSignature])))
        #expect(try weak.extensions.keyUsage?.keyCertSign == false)
        #expect(try weak.extensions.keyUsage?.digitalSignature == true)
        let none = try parse(factory.intermediate("I", signedBy: root, .init(omitting: [.keyUsage])))
        #expect(try none.extensions.keyUsage == nil)
    }

    @Test("extended key usage: other, critical, absent")
    func extendedKeyUsage() throws {
        let client = try parse(factory.leaf(["a.test"], signedBy: root, .init(extendedKeyUsages: [.clientAuth])))
        #expect(try client.extensions.extendedKeyUsage == ExtendedKeyUsage([.clientAuth]))
        var options = CertificateOptions()
        options.critical.insert(.extendedKeyUsage)
        let critical = try parse(factory.leaf(["a.test"], signedBy: root, options))
        #expect(critical.extensions[oid: .X509ExtensionID.extendedKeyUsage]?.critical == true)
        let none = try parse(factory.leaf(["a.test"], signedBy: root, .init(omitting: [.extendedKeyUsage])))
        #expect(try none.extensions.extendedKeyUsage == nil)
    }

    @Test("name constraints")
    func nameConstraints() throws {
        let constraints = NameConstraintSet(
            permittedDNSNames: ["good.test"], excludedDNSNames: ["bad.good.test"],
            permittedIPRanges: [[10, 0, 0, 0, 255, 0, 0, 0]])
        let authority = try parse(
            factory.intermediate("I", signedBy: root, .init(nameConstraints: constraints)))
        let read = try #require(try authority.extensions.nameConstraints)
        #expect(Array(read.permittedDNSDomains) == ["good.test"])
        #expect(Array(read.excludedDNSDomains) == ["bad.good.test"])
        #expect(Array(read.permittedIPRanges).map { Array($0.bytes) } == [[10, 0, 0, 0, 255, 0, 0, 0]])
        #expect(authority.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true)
    }

    @Test("a common name without a subject alternative name")
    func commonNameOnly() throws {
        let leaf = try parse(factory.leaf(["a.test"], signedBy: root, .init(omitting: [.subjectAlternativeName])))
        #expect(try leaf.extensions.subjectAlternativeNames == nil)
        #expect(leaf.subject.description.contains("a.test"))
    }

    @Test("a version 1 certificate has no extensions")
    func versionOne() throws {
        let leaf = try parse(factory.leaf(["a.test"], signedBy: root, .with { $0.version = 1 }))
        #expect(leaf.version == .v1)
        #expect(leaf.extensions.isEmpty)
        #expect(try rootVerifies(leaf))
    }

    @Test("an invalid signature, and one by another key")
    func signatures() throws {
        let broken = try parse(factory.leaf(["a.test"], signedBy: root, .with { $0.breaksSignature = true }))
        #expect(try rootVerifies(broken) == false)
        let stranger = try Key()
        let forged = try parse(factory.leaf(["a.test"], signedBy: root, .with { $0.signingKey = stranger }))
        #expect(try rootVerifies(forged) == false)
        #expect(try forged.issuer == parse(root).subject)
    }

    @Test("the certificate names SHA-1 and MD5")
    func weakHashes() throws {
        let rsa = try factory.authority("RSA root", .init(key: .shared(.rsa2048, "weak hashes")))
        let sha1 = try factory.leaf(["a.test"], signedBy: rsa, .with { $0.signatureHash = .sha1 })
        #expect(try parse(sha1).signatureAlgorithm == .sha1WithRSAEncryption)
        let md5 = try factory.leaf(["a.test"], signedBy: rsa, .with { $0.signatureHash = .md5 })
        let identifier = DERBytes.objectIdentifier("1.2.840.113549.1.1.4")
        #expect(md5.certificateDER.ranges(of: identifier).count == 2)
        let ecdsa = try factory.leaf(["a.test"], signedBy: root, .with { $0.signatureHash = .sha1 })
        #expect(ecdsa.certificateDER.ranges(of: DERBytes.objectIdentifier("1.2.840.10045.4.1")).count == 2)
    }

    @Test("different signature algorithms inside and outside")
    func mismatchedAlgorithm() throws {
        let leaf = try factory.leaf(["a.test"], signedBy: root, .with { $0.outerSignatureHash = .sha512 })
        let inner = DERBytes.objectIdentifier("1.2.840.10045.4.3.2")
        let outer = DERBytes.objectIdentifier("1.2.840.10045.4.3.4")
        #expect(leaf.certificateDER.ranges(of: inner).count == 1)
        #expect(leaf.certificateDER.ranges(of: outer).count == 1)
    }

    @Test("an unknown critical extension, and a duplicate one")
    func extraExtensions() throws {
        let unknown = try parse(
            factory.leaf(
                ["a.test"], signedBy: root,
                .with { $0.extraExtensions = [ExtraExtension("1.3.6.1.4.1.99999.1", isCritical: true)] }))
        #expect(unknown.extensions[oid: [1, 3, 6, 1, 4, 1, 99999, 1]]?.critical == true)
        let twice = try factory.leaf(
            ["a.test"], signedBy: root, .with { $0.extraExtensions = [ExtraExtension("2.5.29.19", value: [0x30, 0])] })
        #expect(throws: (any Error).self) { try parse(twice) }
    }

    @Test("a key of an unsupported type")
    func unknownKey() throws {
        let info = DERBytes.sequence([
            DERBytes.sequence([DERBytes.objectIdentifier("1.3.6.1.4.1.99999.2")]), DERBytes.bitString([1, 2, 3]),
        ])
        let leaf = try factory.leaf(["a.test"], signedBy: root, .with { $0.publicKeyInfo = info })
        #expect(leaf.certificateDER.firstRange(of: info) != nil)
    }
}
