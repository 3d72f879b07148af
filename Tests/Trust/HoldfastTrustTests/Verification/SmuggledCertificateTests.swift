import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// An attacker in the middle who owns a key of his own, and who can send any certificate that he has ever seen: the
/// pinned server's, its authority's, the pinned root. Pins are compared with the verified path and never with what was
/// sent, so none of this helps him.
@Suite("Smuggled certificates")
struct SmuggledCertificateTests {
    let scene = TrustScene()

    /// The honest side: what the app pins.
    let root: Identity
    let issuing: Identity
    let server: Identity

    /// An authority that the machine trusts and that the attacker has got a certificate from.
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

    /// What a client would say that compares pins with the certificates that were sent, as OkHttp once did
    /// (CVE-2016-2402).
    private func naiveClientAccepts(_ sent: [Identity], _ pins: PinSet) -> Bool {
        sent.enumerated().contains { pins.match($0.element.view, isLeaf: $0.offset == 0) != nil }
    }

    // MARK: - System verification with pins

    @Test("behind a valid chain of another authority", arguments: Prize.allCases)
    func behindValidChain(prize: Prize) throws {
        let pins = [Pin(identity(prize))]
        let policy = try scene.policy(pins)
        for sent in [
            [attacker, otherIssuing, server, issuing, root], [attacker, server, issuing, root, otherIssuing],
            [attacker, root, otherIssuing, issuing, server],
        ] {
            let verdict = try scene.pinned(sent, anchors: [root, otherRoot], under: policy)
            expectOnly(.pinMismatch, verdict)
            #expect(verdict.systemFinding?.code == .validPath, "the chain itself is valid: the pin alone keeps him out")
            #expect(verdict.path?.certificates == [attacker.view, otherIssuing.view, otherRoot.view])
            #expect(verdict.finding.facts.seenHashes == verdict.path?.hashes)
            #expect(verdict.finding.facts.expectedPins == pins)
            #expect(naiveClientAccepts(sent, PinSet(pins)), "compared with what was sent, the attack succeeds")
        }
        #expect(try scene.pinned([server, issuing], anchors: [root, otherRoot], under: policy).decision == .allow)
    }

    @Test("the pinned leaf first, although its key is not the attacker's: what follows is still the honest path")
    func replayedLeaf() throws {
        // Certificates are public. That the peer holds the leaf's key is what the handshake proves, not the chain.
        let verdict = try scene.pinned(
            [server, issuing, attacker], anchors: [root, otherRoot], under: scene.policy([Pin(server)]))
        #expect(verdict.path?.certificates.first == server.view)
    }

    @Test("a pin does not rescue a chain that leads nowhere", arguments: Prize.allCases)
    func pinsRescueNothing(prize: Prize) throws {
        let lonely = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let pins = [Pin(identity(prize)), Pin(lonely)]
        for sent in [[lonely], [lonely, server, issuing, root], [server]] {
            let verdict = try scene.pinned(sent, anchors: [root], under: scene.policy(pins))
            // Self-signed and of the same name as the sent certificate: then the broken link is named.
            let expected: TrustFinding.Code = sent.count == 4 ? .badSignature : .unknownIssuer
            expectOnly(expected, verdict)
            #expect(verdict.systemFinding?.code == expected)
        }
    }

    @Test("with the pinned key, but expired, or for another host: the chain's finding, and not the pin's")
    func pinnedButInvalid() throws {
        let expired = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing,
            .init(key: server.key, notAfter: scene.now.advanced(bySeconds: -1)))
        let other = try scene.factory.leaf(["other.example.com"], signedBy: issuing, .init(key: server.key))
        let policy = try scene.policy([Pin(server)])
        expectOnly(.expired, try scene.pinned([expired, issuing], anchors: [root], under: policy))
        expectOnly(.hostMismatch, try scene.pinned([other, issuing], anchors: [root], under: policy))
        // Each check is the only thing in the way.
        #expect(
            try scene.outcome([expired, issuing], anchors: [root], scene.options { $0.checksDates = false }).path != nil
        )
        #expect(try scene.outcome([other, issuing], anchors: [root], scene.options { $0.host = nil }).path != nil)
    }

    @Test("a forged link to the pinned authority: its name and key identifier, but not its signature")
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
        // Names and key identifiers fit: a client that does not check signatures would take it.
        #expect(forged.view.issuer == issuing.view.subject)
        #expect(naiveClientAccepts([forged, issuing], PinSet([Pin(issuing)])))
    }

    @Test("the server's own certificate as an authority: a customer signs with the pinned leaf key")
    func leafAsAuthority() throws {
        let forged = try scene.factory.leaf(["evil.example.net"], signedBy: server)
        let verdict = try scene.pinned(
            [forged, server, issuing], anchors: [root], under: scene.policy([Pin(server)]), host: "evil.example.net")
        // Not pinned: the policy is for the other host. So system verification alone has to stop it.
        #expect(verdict.decision == .notPinned)
        #expect(verdict.systemFinding?.code == .notACertificateAuthority)
        #expect(!verdict.permitsConnection)
    }

    @Test("a leaf pin does not match an authority, an authority's pin does not match the leaf")
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

    @Test("an intermediate that the pinned root once signed for somebody else is a valid link, as it must be")
    func honestSibling() throws {
        let sibling = try scene.factory.intermediate("Sibling", signedBy: root)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: sibling)
        #expect(
            try scene.pinned([leaf, sibling], anchors: [root], under: scene.policy([Pin(root)])).decision == .allow)
        expectOnly(
            .pinMismatch, try scene.pinned([leaf, sibling], anchors: [root], under: scene.policy([Pin(issuing)])))
    }
}
