import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests that the engine checks the given lists, and that an unusable list refuses the paths of its issuer.
@Suite("Revocation lists")
struct RevocationListTests {
    let fixture: RevocationScene

    init() throws {
        fixture = try RevocationScene()
    }

    private func verdict(_ lists: [[UInt8]], at time: Timestamp? = nil) throws -> TrustVerdict {
        try TrustEngine(
            anchors: fixture.scene.anchors([fixture.root]),
            revocationLists: lists.map { bytes in try RevocationList(der: bytes) }
        ).evaluate(fixture.scene.chain(fixture.presented), for: fixture.scene.subject(), at: time ?? fixture.now)
    }

    @Test("a revoked server, a revoked authority, and lists that contain neither")
    func revoked() throws {
        let other = try fixture.scene.factory.leaf(["other.example.com"], signedBy: fixture.issuing)
        #expect(try verdict([fixture.list(), fixture.list(by: fixture.root)]).decision == .allow)
        #expect(try verdict([fixture.list(revoking: [other])]).decision == .allow)
        let server = try verdict([fixture.list(revoking: [other, fixture.server])])
        expectOnly(.revoked, server)
        #expect(server.finding.facts.subject == fixture.server.view.subject)
        let instant = fixture.now.advanced(bySeconds: -9_000)
        let stated = try verdict([fixture.list { $0.entries = [.init(fixture.server, reason: 1, time: instant)] }])
        expectOnly(.revoked, stated)
        #expect(stated.finding.facts.revocationReason == .keyCompromise)
        #expect(stated.finding.facts.revokedAt == instant)
        #expect(stated.finding.reason.contains("at \(instant) (keyCompromise)"))
        let authority = try verdict([fixture.list(by: fixture.root, revoking: [fixture.issuing])])
        expectOnly(.revoked, authority)
        #expect(authority.finding.facts.subject == fixture.issuing.view.subject)
    }

    @Test("ignores the same serial number in the list of another issuer")
    func otherIssuer() throws {
        let stranger = try fixture.scene.factory.authority("Stranger")
        #expect(try verdict([fixture.list(by: stranger, revoking: [fixture.server])]).decision == .allow)
        #expect(try verdict([fixture.list(by: fixture.root, revoking: [fixture.server])]).decision == .allow)
    }

    private static let defects: [(String, @Sendable (inout RevocationListDraft, RevocationScene) throws -> Void)] = [
        ("broken signature", { list, _ in list.breaksSignature = true }),
        ("signed by another key", { list, _ in list.signingKey = try Key() }),
        ("SHA-1", { list, _ in list.signatureHash = .sha1 }),
        ("too old", { list, scene in list.nextUpdate = scene.now.advanced(bySeconds: -1) }),
        ("from the future", { list, scene in list.thisUpdate = scene.now.advanced(bySeconds: 1) }),
        ("no date for the next one", { list, _ in list.nextUpdate = nil }),
        ("no number", { list, _ in list.omitsNumber = true }),
        ("an unknown critical extension", { list, _ in list.extensions = [.init("1.2.3.4", isCritical: true)] }),
        ("an extension twice", { list, _ in list.extensions = [.init("2.5.29.20", value: [2, 1, 1])] }),
        (
            "an unknown critical extension of an entry",
            { list, scene in
                list.revoked = [scene.root]
                list.entryExtensions = [.init("1.2.3.4", isCritical: true)]
            }
        ),
        (
            "an entry of another issuer in a list that is not indirect",
            { list, scene in list.entries = [.init(scene.root, issuer: scene.root)] }
        ),
    ]

    @Test("refuses the paths of an issuer with an unusable list", arguments: 0..<defects.count)
    func unusable(index: Int) throws {
        let (name, change) = Self.defects[index]
        var draft = RevocationListDraft(issuer: fixture.issuing)
        try change(&draft, fixture)
        let verdict = try verdict([draft.der()])
        #expect(verdict.finding.code == .revocationUnknown, "\(name): \(verdict)")
        #expect(!verdict.permitsConnection)
    }

    @Test("a list applies to its issuer in any string type, case and spacing of the name")
    func issuerName() throws {
        for name in Self.issuingNames {
            let bytes = try fixture.list(revoking: [fixture.server]) { $0.issuerName = name }
            expectOnly(.revoked, try verdict([bytes]))
        }
    }

    /// `CN=Issuing` in other encodings.
    private static let issuingNames: [[UInt8]] = [
        CertificateName.der([("2.5.4.3", 0x13, Array("Issuing".utf8))]),
        CertificateName.der([("2.5.4.3", 0x0C, Array(" ISSUING  ".utf8))]),
        CertificateName.der([("2.5.4.3", 0x1E, "Issuing".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })]),
    ]

    @Test("refuses an issuer that may not sign lists")
    func keyUsage() throws {
        let root = try fixture.scene.factory.authority("Root", .init(keyUsage: [.keyCertSign]))
        let leaf = try fixture.scene.factory.leaf([TrustScene.host], signedBy: root)
        let list = try RevocationList(der: RevocationListDraft(issuer: root).der())
        let verdict = try TrustEngine(anchors: .only([root.view]), revocationLists: [list])
            .evaluate(fixture.scene.chain([leaf]), for: fixture.scene.subject(), at: fixture.now)
        expectOnly(.revocationUnknown, verdict)
    }

    @Test("selects another path if an authority was revoked")
    func otherPath() throws {
        let other = try fixture.scene.factory.authority("Other root")
        let crossed = try fixture.scene.factory.intermediate(
            "Issuing", signedBy: other, .init(key: fixture.issuing.key))
        let engine = TrustEngine(
            anchors: fixture.scene.anchors([fixture.root, other]),
            revocationLists: [
                try RevocationList(der: fixture.list(by: fixture.root, revoking: [fixture.issuing]))
            ])
        let verdict = try engine.evaluate(
            fixture.scene.chain([fixture.server, fixture.issuing, crossed]), for: fixture.scene.subject(),
            at: fixture.now)
        #expect(verdict.decision == .allow)
        #expect(verdict.path?.certificates.last == other.view)
    }

    @Test("refuses bytes that are not a list, and a list truncated at any byte")
    func malformed() throws {
        let bytes = try fixture.list(revoking: [fixture.server])
        for length in bytes.indices {
            #expect(throws: CertificateError.self) { try RevocationList(der: Array(bytes.prefix(length))) }
        }
        #expect(throws: CertificateError.self) { try RevocationList(der: bytes + [0]) }
        #expect(throws: CertificateError.self) { try RevocationList(der: fixture.server.certificateDER) }
    }
}
