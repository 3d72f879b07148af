import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Building a path")
struct PathBuildingTests {
    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    let leaf: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
    }

    @Test("a leaf, its issuer and a trusted root")
    func plain() throws {
        let verdict = try scene.system([leaf, issuing], anchors: [root])
        #expect(verdict.decision == .allow)
        #expect(verdict.finding.code == .validPath)
        #expect(verdict.path?.certificates == [leaf.view, issuing.view, root.view])
        #expect(verdict.path?.hashes == [leaf.spkiDigest, issuing.spkiDigest, root.spkiDigest])
        #expect(verdict.notices.isEmpty)
    }

    @Test("a leaf directly below the root")
    func direct() throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
        #expect(try scene.system([leaf], anchors: [root]).pathNames == [TrustScene.host, "Root"])
    }

    @Test("the intermediate is missing: no path, and the issuer is named")
    func missingIntermediate() throws {
        let verdict = try scene.system([leaf], anchors: [root])
        expectOnly(.unknownIssuer, verdict)
        #expect(verdict.finding.facts.issuer == "CN=Issuing")
        #expect(verdict.path == nil)
        #expect(verdict.presentedHashes == [leaf.spkiDigest])
    }

    @Test("the order behind the leaf does not matter")
    func wrongOrder() throws {
        let second = try scene.factory.intermediate("Second", signedBy: issuing)
        let third = try scene.factory.intermediate("Third", signedBy: second)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: third)
        for order in [[third, second, issuing], [issuing, third, second], [second, issuing, third, root]] {
            let verdict = try scene.system([leaf] + order, anchors: [root])
            #expect(verdict.pathNames == [TrustScene.host, "Third", "Second", "Issuing", "Root"])
        }
    }

    @Test("the leaf must come first: an intermediate in its place is judged as the server's certificate")
    func leafNotFirst() throws {
        expectOnly(.hostMismatch, try scene.system([issuing, leaf], anchors: [root]))
    }

    @Test("certificates that belong to nobody, sent twice, or sent with the root do no harm")
    func junk() throws {
        let strangerRoot = try scene.factory.authority("Stranger root")
        let stranger = try scene.factory.intermediate("Stranger", signedBy: strangerRoot)
        let noise = [stranger, strangerRoot, leaf, issuing, root, issuing]
        let verdict = try scene.system([leaf] + noise, anchors: [root])
        #expect(verdict.path?.certificates == [leaf.view, issuing.view, root.view])
    }

    @Test("bytes that are no certificate are skipped behind the leaf, and reported")
    func unreadableExtra() throws {
        let presented = PresentedChain(der: [leaf.certificateDER, [0x30, 0x03, 1, 2], [], issuing.certificateDER])
        let verdict = try TrustEngine(anchors: scene.anchors([root]))
            .evaluate(presented, for: scene.subject(), at: scene.now)
        #expect(verdict.decision == .allow)
        #expect(verdict.unreadable.map(\.index) == [1, 2])
        #expect(verdict.unreadable.map(\.error.code) == [.notACertificate, .empty])
        #expect(verdict.description.contains("certificate 1 was skipped"))
    }

    @Test("an unreadable leaf is a refusal of its own, whatever follows")
    func unreadableLeaf() throws {
        let presented = PresentedChain(der: [[0x30, 0x00], leaf.certificateDER, issuing.certificateDER])
        let verdict = try TrustEngine(anchors: scene.anchors([root]))
            .evaluate(presented, for: scene.subject(), at: scene.now)
        expectOnly(.unreadableLeaf, verdict)
        #expect(presented.leaf == nil)
    }

    @Test("no certificate at all")
    func empty() throws {
        expectOnly(.noCertificates, try scene.system([], anchors: [root]))
    }

    @Test("no trust anchor at all")
    func noAnchors() throws {
        expectOnly(.noTrustAnchors, try scene.system([leaf, issuing], anchors: []))
    }

    @Test("an anchor that is no root ends the path")
    func intermediateAnchor() throws {
        let verdict = try scene.system([leaf], anchors: [issuing])
        #expect(verdict.path?.certificates == [leaf.view, issuing.view])
    }

    @Test("the shorter path to an anchor is taken")
    func nearestAnchor() throws {
        let verdict = try scene.system([leaf, issuing], anchors: [root, issuing])
        #expect(verdict.path?.certificates == [leaf.view, issuing.view])
    }

    @Test("a self-signed server certificate is refused, and accepted where it is the anchor")
    func selfSigned() throws {
        let lonely = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let refused = try scene.system([lonely], anchors: [root])
        expectOnly(.unknownIssuer, refused)
        #expect(refused.finding.reason.contains("is self-signed"))
        #expect(try scene.system([lonely], anchors: [lonely]).path?.certificates == [lonely.view])
        // The anchor is this certificate and not its name or key.
        let twin = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        expectOnly(.badSignature, try scene.system([twin], anchors: [lonely]))
    }

    @Test("an anchored server certificate is held to its own checks all the same")
    func anchoredLeaf() throws {
        let old = try scene.factory.leaf(
            [TrustScene.host], signedBy: nil, .init(notAfter: scene.now.advanced(bySeconds: -1)))
        expectOnly(.expired, try scene.system([old], anchors: [old]))
        let other = try scene.factory.leaf(["other.example.com"], signedBy: nil)
        expectOnly(.hostMismatch, try scene.system([other], anchors: [other]))
    }

    @Test("a rogue authority with the trusted root's name: the signature gives it away")
    func impostorRoot() throws {
        let rogue = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: rogue)
        let verdict = try scene.system([leaf, rogue], anchors: [root])
        expectOnly(.badSignature, verdict)
        #expect(verdict.finding.facts.subject == leaf.view.subject)
        // With the signature's check out of the way the rogue would be inside.
        #expect(try scene.system([leaf, rogue], anchors: [rogue]).decision == .allow)
    }

    @Test("a root that the server sends is not trusted for it")
    func sentRoot() throws {
        let rogue = try scene.factory.authority("Rogue root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: rogue)
        expectOnly(.unknownIssuer, try scene.system([leaf, rogue], anchors: [root]))
        #expect(try scene.system([leaf, rogue], anchors: [root, rogue]).decision == .allow)
    }

    @Test("a leaf signed with a leaf's key, behind which the whole honest chain follows")
    func smuggledLeaf() throws {
        let attacker = try scene.factory.leaf(["attacker.example.net"], signedBy: issuing)
        let forged = try scene.factory.leaf([TrustScene.host], signedBy: attacker)
        let verdict = try scene.system([forged, attacker, leaf, issuing], anchors: [root])
        #expect(verdict.finding.code == .notACertificateAuthority)
        #expect(verdict.decision == .block)
    }
}
