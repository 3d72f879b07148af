import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests attacks on the documented mode of the chat SDK. This mode does not check dates, revocation and, for the
/// server's own key, the host name. All other checks must apply.
@Suite("Attacks on pinned keys only")
struct PinnedKeysOnlyAttackTests {
    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    let server: Identity
    let rogueRoot: Identity
    let attacker: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        server = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        rogueRoot = try scene.factory.authority("Rogue root")
        attacker = try scene.factory.leaf([TrustScene.host], signedBy: rogueRoot)
    }

    private func listed(_ identities: [Identity]) -> PinnedKeysOnly {
        PinnedKeysOnly(certificates: identities.map(\.view))
    }

    /// Simulates the client that the modelled product documents: it accepts any pinned certificate in the sent chain.
    private func documentedClientAccepts(_ sent: [Identity], _ pins: PinnedKeysOnly) -> Bool {
        sent.contains { one in pins.certificates.contains { $0.spkiDigest == one.spkiDigest } }
    }

    @Test("refuses a copy of the pinned leaf, its authority or the pinned root after the attacker's own certificate")
    func smuggled() throws {
        for prize in [server, issuing, root] {
            let pins = listed([prize])
            for sent in [
                [attacker, prize], [attacker, rogueRoot, prize], [attacker, server, issuing, root],
                [attacker, root, issuing, server, rogueRoot],
            ] where sent.contains(where: { $0.spkiDigest == prize.spkiDigest }) {
                let verdict = try scene.pinnedKeysOnly(sent, pins)
                #expect(verdict.decision == .block, "\(verdict)")
                #expect(verdict.finding.code == .pinMismatch)
                #expect(verdict.finding.reason.contains("no signature links"))
                #expect(verdict.path == nil)
                #expect(documentedClientAccepts(sent, pins), "without the check of links this attack succeeds")
            }
        }
    }

    @Test("refuses another authority's certificate for the same host")
    func anotherAuthority() throws {
        let verdict = try scene.pinnedKeysOnly([attacker, rogueRoot], listed([server, root]))
        #expect(verdict.finding.code == .pinMismatch)
        #expect(verdict.finding.facts.seenHashes == [attacker.spkiDigest, rogueRoot.spkiDigest])
        #expect(verdict.finding.facts.expectedPins.count == 2)
    }

    @Test("refuses the pinned authority's name and key identifier with a signature of the attacker")
    func forgedLink() throws {
        let forged = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing, .with { $0.signingKey = rogueRoot.key })
        for sent in [[forged], [forged, issuing], [forged, issuing, root]] {
            let verdict = try scene.pinnedKeysOnly(sent, listed([issuing, root]))
            #expect(verdict.finding.code == .pinMismatch)
            #expect(verdict.notices.map(\.code) == [.badSignature])
        }
    }

    @Test("refuses a valid certificate of another customer of the pinned authority")
    func otherCustomer() throws {
        let customer = try scene.factory.leaf(["customer.example.net"], signedBy: issuing)
        expectOnly(.hostMismatch, try scene.pinnedKeysOnly([customer, issuing], listed([issuing])))
        var documented = listed([issuing])
        documented.hostnameVerification = .never
        #expect(
            try scene.pinnedKeysOnly([customer, issuing], documented).decision == .allow,
            "as the modelled product documents: only the host name refuses this certificate")
    }

    @Test("refuses a certificate that a customer of the pinned authority signed with the key of a server certificate")
    func leafAsAuthority() throws {
        let customer = try scene.factory.leaf(["customer.example.net"], signedBy: issuing)
        let forged = try scene.factory.leaf([TrustScene.host], signedBy: customer)
        let verdict = try scene.pinnedKeysOnly([forged, customer], listed([issuing]))
        #expect(verdict.decision == .block)
        #expect(verdict.finding.code == .notACertificateAuthority)
        #expect(verdict.notices.map(\.code) == [.keyUsage], "the key usage of a server does not allow signing either")
        let authority = try scene.factory.intermediate(
            "customer.example.net", signedBy: issuing, .init(key: customer.key))
        #expect(try scene.pinnedKeysOnly([forged, authority], listed([issuing])).decision == .allow)
    }

    /// A flaw of an intermediate between the server and the listed root.
    struct Flaw: CustomTestStringConvertible {
        var code: TrustFinding.Code
        var options: @Sendable () throws -> CertificateOptions
        var testDescription: String { code.rawValue }
    }

    static let flaws: [Flaw] = [
        Flaw(code: .notACertificateAuthority) { .init(isCA: false) },
        Flaw(code: .notACertificateAuthority) { .init(omitting: [.basicConstraints]) },
        Flaw(code: .keyUsage) { .init(keyUsage: [.digitalSignature]) },
        Flaw(code: .nameConstraintViolation) { .init(nameConstraints: .init(permittedDNSNames: ["example.org"])) },
        Flaw(code: .nameConstraintViolation) { .init(nameConstraints: .init(excludedDNSNames: ["example.com"])) },
        Flaw(code: .extendedKeyUsage) { .init(extendedKeyUsages: [.clientAuth, .codeSigning]) },
        Flaw(code: .unhandledCriticalExtension) {
            .with { $0.extraExtensions = [ExtraExtension("1.3.6.1.4.1.99999.1", isCritical: true)] }
        },
        Flaw(code: .malformedCertificate) { .with { $0.extraExtensions = [ExtraExtension("2.5.29.14")] } },
    ]

    @Test("every link must pass path validation", arguments: 0..<flaws.count)
    func links(index: Int) throws {
        let flaw = Self.flaws[index]
        var options = try flaw.options()
        options.key = try Key()
        let flawed = try scene.factory.intermediate("Middle", signedBy: root, options)
        let sound = try scene.factory.intermediate("Middle", signedBy: root, .init(key: flawed.key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: flawed)
        expectOnly(flaw.code, try scene.pinnedKeysOnly([leaf, flawed], listed([root])))
        // Only the flaw refuses this leaf.
        #expect(try scene.pinnedKeysOnly([leaf, sound], listed([root])).decision == .allow)
        // A listed certificate with the flaw cannot be an authority either.
        expectOnly(flaw.code, try scene.pinnedKeysOnly([leaf], listed([flawed])))
        #expect(try scene.pinnedKeysOnly([leaf], listed([sound])).decision == .allow)
    }

    @Test("the leaf below a listed authority must be well-formed and valid for TLS servers")
    func leafBelowAuthority() throws {
        let client = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing, .init(extendedKeyUsages: [.clientAuth]))
        expectOnly(.extendedKeyUsage, try scene.pinnedKeysOnly([client], listed([issuing])))
        let critical = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing,
            .with { $0.extraExtensions = [ExtraExtension("1.3.6.1.4.1.99999.1", isCritical: true)] })
        expectOnly(.unhandledCriticalExtension, try scene.pinnedKeysOnly([critical], listed([issuing])))
        let short = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing, .init(key: .shared(.rsa1024, "short")))
        expectOnly(.weakKey, try scene.pinnedKeysOnly([short], listed([issuing])))
    }

    @Test("refuses a chain that exceeds the path length, and accepts it without the limit")
    func pathLength() throws {
        let limited = try scene.factory.authority("Limited", .init(pathLength: 0))
        let unlimited = try scene.factory.authority("Limited", .init(key: limited.key))
        let middle = try scene.factory.intermediate("Middle", signedBy: limited)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: middle)
        expectOnly(.pathLengthExceeded, try scene.pinnedKeysOnly([leaf, middle], listed([limited])))
        #expect(try scene.pinnedKeysOnly([leaf, middle], listed([unlimited])).decision == .allow)
    }

    @Test("refuses a link with a weak signature", arguments: [SignatureHash.sha1, .md5])
    func weakLink(hash: SignatureHash) throws {
        let root = try scene.factory.authority("Root", .init(key: .shared(.rsa2048, "crypto root")))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .with { $0.signatureHash = hash })
        let verdict = try scene.pinnedKeysOnly([leaf, root], listed([root]))
        #expect(verdict.decision == .block)
        #expect(verdict.finding.code == .pinMismatch)
        #expect(verdict.notices.map(\.code) == [.weakSignature])
        let sound = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(key: leaf.key))
        #expect(try scene.pinnedKeysOnly([sound, root], listed([root])).decision == .allow)
    }

    // MARK: - Forged certificates of the pinned authority

    /// The attacker runs an authority below a pinned authority that limits it.
    ///
    /// The key is pinned, but no signature that this mode verifies protects a *sent* certificate with this key.
    /// Therefore the attacker sends a copy without the limits.
    struct Limit: CustomTestStringConvertible {
        var code: TrustFinding.Code
        var options: CertificateOptions
        var testDescription: String { code.rawValue }
    }

    static let limits: [Limit] = [
        Limit(code: .pathLengthExceeded, options: .init(pathLength: 0)),
        Limit(
            code: .nameConstraintViolation,
            options: .init(nameConstraints: .init(permittedDNSNames: ["customer.example.net"]))),
        Limit(code: .extendedKeyUsage, options: .init(extendedKeyUsages: [.clientAuth])),
        Limit(code: .keyUsage, options: .init(keyUsage: [.crlSign])),
        Limit(code: .notACertificateAuthority, options: .init(isCA: false)),
    ]

    @Test("sending a copy of the pinned authority does not remove its limits", arguments: limits)
    func forgedAuthority(limit: Limit) throws {
        let pinned = try scene.factory.authority("Pinned", limit.options)
        for name in ["Pinned", "Pinned, by another name"] {
            // The attacker cannot sign with the pinned key, but can create any certificate that contains it.
            let copy = try scene.factory.intermediate(name, signedBy: rogueRoot, .init(key: pinned.key))
            // The pinned authority signed this certificate for the attacker, with the authority's name at that time.
            let customer = try scene.factory.intermediate("Customer", signedBy: copy)
            let leaf = try scene.factory.leaf([TrustScene.host], signedBy: customer)
            for sent in [[leaf, customer, copy], [leaf, copy, customer], [leaf, customer, copy, rogueRoot]] {
                expectOnly(limit.code, try scene.pinnedKeysOnly(sent, listed([pinned])))
            }
            // If the copy itself were listed, the chain would be accepted.
            #expect(try scene.pinnedKeysOnly([leaf, customer], listed([copy])).decision == .allow)
        }
    }

    @Test("with two listed certificates for one key, the one that allows the path applies")
    func twoListed() throws {
        let narrow = try scene.factory.authority("Pinned", .init(pathLength: 0))
        let wide = try scene.factory.authority("Pinned", .init(key: narrow.key))
        let middle = try scene.factory.intermediate("Middle", signedBy: wide)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: middle)
        for list in [[narrow, wide], [wide, narrow]] {
            #expect(try scene.pinnedKeysOnly([leaf, middle], listed(list)).decision == .allow)
        }
        expectOnly(.pathLengthExceeded, try scene.pinnedKeysOnly([leaf, middle, wide], listed([narrow])))
    }
}
