import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests a man-in-the-middle attacker who owns a key, and who can send any known certificate, such as those of the
/// pinned server, its authority and the pinned root. Pins are compared with the verified path and not with the sent
/// chain, so that these certificates have no effect.
@Suite("Smuggled certificates")
struct SmuggledCertificateTests {
    let scene = TrustScene()

    /// The certificates of the server, which the app pins.
    let root: Identity
    let issuing: Identity
    let server: Identity

    /// An authority that the machine trusts and that issued a certificate for the attacker.
    let otherRoot: Identity
    let otherIssuing: Identity
    let attacker: Identity

    init() throws {
        root = try scene.factory.authority("Pinned root")
        issuing = try scene.factory.intermediate("Pinned issuing", signedBy: root)
        server = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        otherRoot = try scene.factory.authority("Other root")
        otherIssuing = try scene.factory.intermediate("Other issuing", signedBy: otherRoot)
        attacker = try scene.factory.leaf([TrustScene.host], signedBy: otherIssuing)
    }

    enum Prize: CaseIterable {
        case server, issuing, root
    }

    private func identity(_ prize: Prize) -> Identity {
        switch prize {
        case .server: server
        case .issuing: issuing
        case .root: root
        }
    }

    /// Simulates a client that compares pins with the sent certificates, as OkHttp did (CVE-2016-2402).
    private func naiveClientAccepts(_ sent: [Identity], _ pins: PinSet) -> Bool {
        sent.enumerated().contains { pins.match($0.element.view, isLeaf: $0.offset == 0) != nil }
    }

    // MARK: - System verification with pins

    @Test("after a valid chain of another authority", arguments: Prize.allCases)
    func behindValidChain(prize: Prize) throws {
        let pins = [Pin(identity(prize))]
        let policy = try scene.policy(pins)
        for sent in [
            [attacker, otherIssuing, server, issuing, root], [attacker, server, issuing, root, otherIssuing],
            [attacker, root, otherIssuing, issuing, server],
        ] {
            let verdict = try scene.pinned(sent, anchors: [root, otherRoot], under: policy)
            expectOnly(.pinMismatch, verdict)
            #expect(verdict.systemFinding?.code == .validPath, "the chain itself is valid, and only the pin refuses it")
            #expect(verdict.path?.certificates == [attacker.view, otherIssuing.view, otherRoot.view])
            #expect(verdict.finding.facts.seenHashes == verdict.path?.hashes)
            #expect(verdict.finding.facts.expectedPins == pins)
            #expect(naiveClientAccepts(sent, PinSet(pins)), "compared with the sent certificates, the attack succeeds")
        }
        #expect(try scene.pinned([server, issuing], anchors: [root, otherRoot], under: policy).decision == .allow)
    }

    @Test("the pinned leaf first, without its key: the verified path is the server's own")
    func replayedLeaf() throws {
        // Certificates are public. The handshake, and not the chain, proves that the peer has the key of the leaf.
        let verdict = try scene.pinned(
            [server, issuing, attacker], anchors: [root, otherRoot], under: scene.policy([Pin(server)]))
        #expect(verdict.path?.certificates.first == server.view)
    }

    @Test("a pin does not accept a chain without a path", arguments: Prize.allCases)
    func pinDoesNotFixInvalidChain(prize: Prize) throws {
        let lonely = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let pins = [Pin(identity(prize)), Pin(lonely)]
        for sent in [[lonely], [lonely, server, issuing, root], [server]] {
            let verdict = try scene.pinned(sent, anchors: [root], under: scene.policy(pins))
            // The certificate is self-signed with the name of a sent certificate, so the finding names the invalid
            // signature.
            let expected: TrustFinding.Code = sent.count == 4 ? .badSignature : .unknownIssuer
            expectOnly(expected, verdict)
            #expect(verdict.systemFinding?.code == expected)
        }
    }

    @Test("with the pinned key but expired or for another host: reports the chain's finding")
    func pinnedButInvalid() throws {
        let expired = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing,
            .init(key: server.key, notAfter: scene.now.advanced(bySeconds: -1)))
        let other = try scene.factory.leaf(["other.example.com"], signedBy: issuing, .init(key: server.key))
        let policy = try scene.policy([Pin(server)])
        expectOnly(.expired, try scene.pinned([expired, issuing], anchors: [root], under: policy))
        expectOnly(.hostMismatch, try scene.pinned([other, issuing], anchors: [root], under: policy))
        // Only this check refuses the chain.
        #expect(
            try scene.outcome([expired, issuing], anchors: [root], scene.options { $0.checksDates = false }).path != nil
        )
        #expect(try scene.outcome([other, issuing], anchors: [root], scene.options { $0.host = nil }).path != nil)
    }

    @Test("a forged link to the pinned authority with its name and key identifier but an invalid signature")
    func forgedLink() throws {
        let forged = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing,
            .with {
                $0.key = attacker.key
                $0.signingKey = attacker.key
            })
        let verdict = try scene.pinned(
            [forged, issuing, root], anchors: [root, otherRoot], under: scene.policy([Pin(issuing)]))
        expectOnly(.badSignature, verdict)
        // Names and key identifiers match, so a client that does not check signatures would accept the chain.
        #expect(forged.view.issuer == issuing.view.subject)
        #expect(naiveClientAccepts([forged, issuing], PinSet([Pin(issuing)])))
    }

    @Test("a certificate that is signed with the pinned key of a server certificate")
    func leafAsAuthority() throws {
        let forged = try scene.factory.leaf(["evil.example.net"], signedBy: server)
        let verdict = try scene.pinned(
            [forged, server, issuing], anchors: [root], under: scene.policy([Pin(server)]), host: "evil.example.net")
        // The policy is for another host, so only system verification can refuse this chain.
        #expect(verdict.decision == .notPinned)
        #expect(verdict.systemFinding?.code == .notACertificateAuthority)
        #expect(!verdict.permitsConnection)
    }

    @Test("a leaf pin does not match an authority, and an authority's pin does not match the leaf")
    func scopes() throws {
        func code(_ pin: Pin) throws -> TrustFinding.Code {
            try scene.pinned([server, issuing], anchors: [root], under: scene.policy([pin])).finding.code
        }
        #expect(try code(Pin(server, .leaf)) == .pinMatched)
        #expect(try code(Pin(server, .ca)) == .pinMismatch)
        #expect(try code(Pin(server, .any)) == .pinMatched)
        for authority in [issuing, root] {
            #expect(try code(Pin(authority, .ca)) == .pinMatched)
            #expect(try code(Pin(authority, .leaf)) == .pinMismatch)
            #expect(try code(Pin(authority, .any)) == .pinMatched)
        }
    }

    @Test("accepts another intermediate that the pinned root signed, because the link is valid")
    func honestSibling() throws {
        let sibling = try scene.factory.intermediate("Sibling", signedBy: root)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: sibling)
        #expect(
            try scene.pinned([leaf, sibling], anchors: [root], under: scene.policy([Pin(root)])).decision == .allow)
        expectOnly(
            .pinMismatch, try scene.pinned([leaf, sibling], anchors: [root], under: scene.policy([Pin(issuing)])))
    }
}
