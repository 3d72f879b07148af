import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Certificates that violate a format rule. Such a leaf can be read, hashed and displayed, but is never accepted.
@Suite("Certificate format")
struct CertificateFormTests {
    let scene = TrustScene()
    let root: Identity

    init() throws {
        root = try scene.factory.authority("Root", .init(key: .shared(.p256, "form")))
    }

    private func judge(_ der: [UInt8]) throws -> TrustVerdict {
        try TrustEngine(anchors: scene.anchors([root]))
            .evaluate(PresentedChain(der: [der]), for: scene.subject(), at: scene.now)
    }

    private func leaf(_ change: (inout CertificateOptions) -> Void = { _ in }) throws -> Identity {
        try scene.factory.leaf([TrustScene.host], signedBy: root, .with(change))
    }

    /// A case with raw extensions in the form `OID, critical, OCTET STRING { value }`.
    struct Extension: CustomTestStringConvertible {
        var name: String
        var items: [ExtraExtension]
        var omitting: Set<StandardExtension> = []
        var code: TrustFinding.Code?

        var testDescription: String { "\(name) → \(code?.rawValue ?? "allow")" }
    }

    static let unknown = "1.3.6.1.4.1.99999.1"
    static let cases: [Extension] = [
        Extension(name: "unknown, not critical", items: [.init(unknown)], code: nil),
        Extension(
            name: "unknown, critical", items: [.init(unknown, isCritical: true)], code: .unhandledCriticalExtension),
        Extension(name: "unknown, twice", items: [.init(unknown), .init(unknown)], code: .malformedCertificate),
        Extension(
            name: "basic constraints, twice", items: [.init("2.5.29.19", value: [0x30, 0])],
            code: .malformedCertificate),
        Extension(
            name: "names, twice",
            items: [.init("2.5.29.17", value: DERBytes.sequence([DERBytes.context(2, constructed: false, [0x61])]))],
            code: .malformedCertificate),
        Extension(
            name: "cA FALSE encoded", items: [.init("2.5.29.19", value: [0x30, 3, 1, 1, 0])],
            omitting: [.basicConstraints], code: nil),
        Extension(
            name: "cA neither TRUE nor FALSE", items: [.init("2.5.29.19", value: [0x30, 3, 1, 1, 1])],
            omitting: [.basicConstraints], code: .malformedCertificate),
        Extension(
            name: "negative path length", items: [.init("2.5.29.19", value: [0x30, 6, 1, 1, 0xFF, 2, 1, 0xFF])],
            omitting: [.basicConstraints], code: .malformedCertificate),
        Extension(
            name: "bytes after the basic constraints", items: [.init("2.5.29.19", value: [0x30, 0, 5, 0])],
            omitting: [.basicConstraints], code: .malformedCertificate),
        Extension(
            name: "key usage with nine unused bits", items: [.init("2.5.29.15", value: [3, 2, 9, 0x80])],
            omitting: [.keyUsage], code: .malformedCertificate),
        Extension(
            name: "key usage that is not a bit string", items: [.init("2.5.29.15", value: [4, 1, 0x80])],
            omitting: [.keyUsage], code: .malformedCertificate),
        Extension(
            name: "an empty list of names", items: [.init("2.5.29.17", value: [0x30, 0])],
            omitting: [.subjectAlternativeName], code: .malformedCertificate),
        Extension(
            name: "a name beyond ASCII",
            items: [
                .init("2.5.29.17", value: DERBytes.sequence([DERBytes.context(2, constructed: false, [0xC3, 0xA4])]))
            ], omitting: [.subjectAlternativeName], code: .malformedCertificate),
        Extension(
            name: "name constraints without a subtree",
            items: [.init("2.5.29.30", isCritical: true, value: [0x30, 0])], code: .malformedCertificate),
        Extension(
            name: "name constraints on a server",
            items: [
                .init(
                    "2.5.29.30", isCritical: true,
                    value: DERBytes.sequence([
                        DERBytes.context(
                            0, constructed: true,
                            DERBytes.sequence([DERBytes.context(2, constructed: false, Array("example.com".utf8))]))
                    ]))
            ], code: .malformedCertificate),
        Extension(
            name: "subject key identifier, critical", items: [.init("2.5.29.14", isCritical: true, value: [4, 1, 1])],
            omitting: [.subjectKeyIdentifier], code: .unhandledCriticalExtension),
        Extension(
            name: "policy constraints, critical",
            items: [.init("2.5.29.36", isCritical: true, value: [0x30, 3, 0x80, 1, 0])],
            code: .certificatePolicy),
        Extension(
            name: "any policy, critical",
            items: [.init("2.5.29.32", isCritical: true, value: [0x30, 8, 0x30, 6, 6, 4, 0x55, 0x1D, 0x20, 0])],
            code: nil),
        Extension(
            name: "a malformed key identifier, which is only a hint",
            items: [.init("2.5.29.14", value: [0xFF]), .init("2.5.29.35", value: [0x30, 9])],
            omitting: [.subjectKeyIdentifier, .authorityKeyIdentifier], code: nil),
    ]

    @Test("checks the format of extensions", arguments: cases)
    func extensions(test: Extension) throws {
        let leaf = try leaf {
            $0.extraExtensions = test.items
            $0.omitting = test.omitting
        }
        let verdict = try judge(leaf.certificateDER)
        if let code = test.code {
            #expect(verdict.finding.code == code, "\(verdict)")
            #expect(verdict.decision == .block)
        } else {
            #expect(verdict.decision == .allow, "\(verdict)")
        }
        // The key can be hashed and pinned regardless of the defects.
        #expect(leaf.view.spkiDigest == leaf.spkiDigest)
    }

    @Test("accepts 100 purposes and 64 extensions, and refuses 101 and 65")
    func counts() throws {
        let purposes = (0..<99).map { ExtendedUsage.other("1.3.6.1.4.1.99999.\($0)") } + [.serverAuth]
        #expect(try judge(leaf { $0.extendedKeyUsages = purposes }.certificateDER).decision == .allow)
        let more = try leaf { $0.extendedKeyUsages = purposes + [.clientAuth] }
        try expectLimit(100, more)
        func padded(_ count: Int) throws -> Identity {
            // Six extensions are already present.
            try leaf { $0.extraExtensions = (0..<count - 6).map { ExtraExtension("1.3.6.1.4.1.99999.\($0)") } }
        }
        #expect(try judge(padded(64).certificateDER).decision == .allow)
        try expectLimit(64, padded(65))
    }

    @Test("accepts 8,192 names and name constraints, and refuses 8,193")
    func manyNames() throws {
        func named(_ count: Int) throws -> Identity {
            try leaf { options in
                options.extraGeneralNames = (1..<count).map { number in
                    DERBytes.context(2, constructed: false, Array("h\(number).example.com".utf8))
                }
            }
        }
        #expect(try judge(named(8_192).certificateDER).decision == .allow)
        try expectLimit(8_192, named(8_193))
        func constrained(_ count: Int) throws -> Identity {
            let set = NameConstraintSet(excludedDNSNames: (0..<count).map { "x\($0).example.org" })
            return try scene.factory.intermediate("Issuing", signedBy: root, .init(nameConstraints: set))
        }
        for (count, code) in [(8_192, TrustFinding.Code.validPath), (8_193, .certificateLimitExceeded)] {
            let issuing = try constrained(count)
            let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
            let verdict = try scene.system([leaf, issuing], anchors: [root])
            #expect(verdict.finding.code == code, "\(verdict)")
        }
    }

    /// A limit has its own finding, because the format of the certificate is valid.
    private func expectLimit(
        _ limit: Int, _ identity: Identity, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let verdict = try judge(identity.certificateDER)
        #expect(verdict.finding.code == .certificateLimitExceeded, "\(verdict)", sourceLocation: sourceLocation)
        #expect(verdict.finding.facts.limit == limit, sourceLocation: sourceLocation)
        #expect(!verdict.permitsConnection, sourceLocation: sourceLocation)
        #expect(identity.view.defects.count == 1, sourceLocation: sourceLocation)
        #expect(!verdict.notices.contains { $0.code == .malformedCertificate }, sourceLocation: sourceLocation)
    }

    @Test("different signature algorithms inside and outside")
    func algorithmMismatch() throws {
        let verdict = try judge(leaf { $0.outerSignatureHash = .sha384 }.certificateDER)
        // The signature is invalid under the outer algorithm, which is reported first.
        #expect(verdict.finding.code == .badSignature)
        #expect(verdict.notices.map(\.code) == [.malformedCertificate])
        // With a signature that is valid under both, only the difference refuses the certificate.
        let original = try leaf()
        let both = try Resigned.certificate(original, by: root.key) { body in
            let inner = DERBytes.objectIdentifier("1.2.840.10045.4.3.2")
            guard let range = body.firstRange(of: inner) else { throw Resigned.Missing() }
            body.replaceSubrange(range, with: DERBytes.objectIdentifier("1.2.840.10045.4.3.4"))
        }
        expectOnly(.malformedCertificate, try judge(both))
        #expect(try judge(both).finding.reason.contains("signature algorithm fields differ"))
    }

    @Test("serial numbers may be zero, negative or longer than 20 octets")
    func serialNumbers() throws {
        #expect(try judge(leaf { $0.serial = [0] }.certificateDER).decision == .allow)
        #expect(try judge(leaf { $0.serial = Array(repeating: 0x7F, count: 20) }.certificateDER).decision == .allow)
        // 20 octets with the highest bit set need a leading zero.
        #expect(try judge(leaf { $0.serial = Array(repeating: 0xFF, count: 20) }.certificateDER).decision == .allow)
        #expect(try judge(leaf { $0.serial = Array(repeating: 0x7F, count: 60) }.certificateDER).decision == .allow)
        let positive = try leaf { $0.serial = [0x11, 0x22, 0x33, 0x44] }
        let negative = try Resigned.replacing(
            [2, 4, 0x11, 0x22, 0x33, 0x44], with: [2, 4, 0x91, 0x22, 0x33, 0x44], in: positive, by: root.key)
        #expect(try judge(negative).decision == .allow)
    }

    @Test("version 1 has no names, and version 4 does not exist")
    func versions() throws {
        expectOnly(.hostMismatch, try judge(leaf { $0.version = 1 }.certificateDER))
        let third = try leaf()
        let fourth = try Resigned.replacing([0xA0, 3, 2, 1, 2], with: [0xA0, 3, 2, 1, 3], in: third, by: root.key)
        #expect(try judge(fourth).finding.code == .malformedCertificate)
        let first = try Resigned.replacing([0xA0, 3, 2, 1, 2], with: [0xA0, 3, 2, 1, 0], in: third, by: root.key)
        let verdict = try judge(first)
        #expect(verdict.finding.code == .malformedCertificate)
        #expect(try CertificateView(der: first).defects.count == 2, "the encoded default, and extensions in version 1")
    }

    @Test(
        "refuses dates in formats that RFC 5280 does not allow",
        arguments: [
            "310314120000+", "3103141200Z00", "31031412000 Z", "310229120000Z", "311314120000Z",
            "310314240000Z", "310314126000Z", "310314120060Z", "310314120099Z", "31031412000aZ",
        ])
    func dates(text: String) throws {
        // The default start is one day before 2031-03-15T12:00:00Z.
        let start = Array("310314120000Z".utf8)
        #expect(text.utf8.count == start.count)
        let changed = try Resigned.replacing(start, with: Array(text.utf8), in: leaf(), by: root.key)
        let verdict = try judge(changed)
        #expect(verdict.finding.code == .malformedCertificate, "\(verdict)")
        #expect(try CertificateView(der: changed).notBefore == nil)
    }

    @Test("an extension with an encoded FALSE for its criticality is not critical")
    func encodedCriticality() throws {
        let unknown = Array(DERBytes.objectIdentifier(Self.unknown))
        let original = try leaf { $0.extraExtensions = [.init(Self.unknown, isCritical: true)] }
        let changed = try Resigned.replacing(
            unknown + DERBytes.boolean(true), with: unknown + DERBytes.boolean(false), in: original, by: root.key)
        #expect(try judge(original.certificateDER).finding.code == .unhandledCriticalExtension)
        #expect(try judge(changed).decision == .allow)
    }

    @Test("accepts an encoded minimum of zero in a name constraint, and refuses other values", arguments: [0, 1])
    func subtreeMinimum(minimum: UInt8) throws {
        let base = DERBytes.context(2, constructed: false, Array("example.com".utf8))
        let subtree = DERBytes.sequence([base, DERBytes.context(0, constructed: false, [minimum])])
        func judge(subtrees number: UInt8) throws -> TrustFinding.Code {
            let value = DERBytes.sequence([DERBytes.context(number, constructed: true, subtree)])
            let issuing = try scene.factory.intermediate(
                "Issuing", signedBy: root,
                .with { $0.extraExtensions = [ExtraExtension("2.5.29.30", isCritical: true, value: value)] })
            let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
            return try scene.system([leaf, issuing], anchors: [root]).finding.code
        }
        #expect(try judge(subtrees: 0) == (minimum == 0 ? .validPath : .malformedCertificate))
        #expect(try judge(subtrees: 1) == (minimum == 0 ? .nameConstraintViolation : .malformedCertificate))
    }

    @Test("bytes after the certificate are not part of it")
    func trailingBytes() throws {
        let der = try leaf().certificateDER
        #expect(throws: CertificateError.self) { try CertificateView(der: der + [0]) }
        #expect(try judge(der + [0]).finding.code == .unreadableLeaf)
    }

    @Test("a leaf with the CA bit is accepted as a server")
    func authorityAsLeaf() throws {
        #expect(try judge(leaf { $0.isCA = true }.certificateDER).decision == .allow)
    }
}
