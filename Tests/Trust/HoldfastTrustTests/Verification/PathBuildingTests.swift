import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Path building")
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

    @Test("accepts a leaf, its issuer and a trusted root")
    func plain() throws {
        let verdict = try scene.system([leaf, issuing], anchors: [root])
        #expect(verdict.decision == .allow)
        #expect(verdict.finding.code == .validPath)
        #expect(verdict.path?.certificates == [leaf.view, issuing.view, root.view])
        #expect(verdict.path?.hashes == [leaf.spkiDigest, issuing.spkiDigest, root.spkiDigest])
        #expect(verdict.notices.isEmpty)
    }

    @Test("accepts a leaf directly below the root")
    func direct() throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
        #expect(try scene.system([leaf], anchors: [root]).pathNames == [TrustScene.host, "Root"])
    }

    @Test("without the intermediate there is no path, and the finding names the issuer")
    func missingIntermediate() throws {
        let verdict = try scene.system([leaf], anchors: [root])
        expectOnly(.unknownIssuer, verdict)
        #expect(verdict.finding.facts.issuer == "CN=Issuing")
        #expect(verdict.path == nil)
        #expect(verdict.presentedHashes == [leaf.spkiDigest])
    }

    @Test("ignores the order of the certificates after the leaf")
    func wrongOrder() throws {
        let second = try scene.factory.intermediate("Second", signedBy: issuing)
        let third = try scene.factory.intermediate("Third", signedBy: second)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: third)
        for order in [[third, second, issuing], [issuing, third, second], [second, issuing, third, root]] {
            let verdict = try scene.system([leaf] + order, anchors: [root])
            #expect(verdict.pathNames == [TrustScene.host, "Third", "Second", "Issuing", "Root"])
        }
    }

    @Test("the first certificate is evaluated as the server's, even if it is an intermediate")
    func leafNotFirst() throws {
        expectOnly(.hostMismatch, try scene.system([issuing, leaf], anchors: [root]))
    }

    @Test("ignores unrelated and duplicate certificates, and a sent root")
    func junk() throws {
        let strangerRoot = try scene.factory.authority("Stranger root")
        let stranger = try scene.factory.intermediate("Stranger", signedBy: strangerRoot)
        let noise = [stranger, strangerRoot, leaf, issuing, root, issuing]
        let verdict = try scene.system([leaf] + noise, anchors: [root])
        #expect(verdict.path?.certificates == [leaf.view, issuing.view, root.view])
    }

    @Test("skips and reports unreadable bytes after the leaf")
    func unreadableExtra() throws {
        let presented = PresentedChain(der: [leaf.certificateDER, [0x30, 0x03, 1, 2], [], issuing.certificateDER])
        let verdict = try TrustEngine(anchors: scene.anchors([root]))
            .evaluate(presented, for: scene.subject(), at: scene.now)
        #expect(verdict.decision == .allow)
        #expect(verdict.unreadable.map(\.index) == [1, 2])
        #expect(verdict.unreadable.map(\.error.code) == [.notACertificate, .empty])
        #expect(verdict.description.contains("certificate 1 was skipped"))
    }

    @Test("refuses an unreadable leaf with its own finding, regardless of the other certificates")
    func unreadableLeaf() throws {
        let presented = PresentedChain(der: [[0x30, 0x00], leaf.certificateDER, issuing.certificateDER])
        let verdict = try TrustEngine(anchors: scene.anchors([root]))
            .evaluate(presented, for: scene.subject(), at: scene.now)
        expectOnly(.unreadableLeaf, verdict)
        #expect(presented.leaf == nil)
    }

    @Test("refuses an empty chain")
    func empty() throws {
        expectOnly(.noCertificates, try scene.system([], anchors: [root]))
    }

    @Test("refuses every chain without a trust anchor")
    func noAnchors() throws {
        expectOnly(.noTrustAnchors, try scene.system([leaf, issuing], anchors: []))
    }

    @Test("a path may end in an anchor that is not a root")
    func intermediateAnchor() throws {
        let verdict = try scene.system([leaf], anchors: [issuing])
        #expect(verdict.path?.certificates == [leaf.view, issuing.view])
    }

    @Test("selects the shorter path to an anchor")
    func nearestAnchor() throws {
        let verdict = try scene.system([leaf, issuing], anchors: [root, issuing])
        #expect(verdict.path?.certificates == [leaf.view, issuing.view])
    }

    @Test("refuses a self-signed server certificate, unless it is the anchor")
    func selfSigned() throws {
        let lonely = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let refused = try scene.system([lonely], anchors: [root])
        expectOnly(.unknownIssuer, refused)
        #expect(refused.finding.reason.contains("is self-signed"))
        #expect(try scene.system([lonely], anchors: [lonely]).path?.certificates == [lonely.view])
        // The anchor is this certificate, not its name or its key.
        let twin = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        expectOnly(.badSignature, try scene.system([twin], anchors: [lonely]))
    }

    @Test("checks an anchored server certificate like any other")
    func anchoredLeaf() throws {
        let old = try scene.factory.leaf(
            [TrustScene.host], signedBy: nil, .init(notAfter: scene.now.advanced(bySeconds: -1)))
        expectOnly(.expired, try scene.system([old], anchors: [old]))
        let other = try scene.factory.leaf(["other.example.com"], signedBy: nil)
        expectOnly(.hostMismatch, try scene.system([other], anchors: [other]))
    }

    @Test("refuses an authority with the name of a trusted root because of its signature")
    func impostorRoot() throws {
        let rogue = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: rogue)
        let verdict = try scene.system([leaf, rogue], anchors: [root])
        expectOnly(.badSignature, verdict)
        #expect(verdict.finding.facts.subject == leaf.view.subject)
        // Without the signature check, the chain would be accepted.
        #expect(try scene.system([leaf, rogue], anchors: [rogue]).decision == .allow)
    }

    @Test("does not trust a root that the server sends")
    func sentRoot() throws {
        let rogue = try scene.factory.authority("Rogue root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: rogue)
        expectOnly(.unknownIssuer, try scene.system([leaf, rogue], anchors: [root]))
        #expect(try scene.system([leaf, rogue], anchors: [root, rogue]).decision == .allow)
    }

    @Test("refuses a leaf that is signed with the key of a leaf, followed by a valid chain")
    func smuggledLeaf() throws {
        let attacker = try scene.factory.leaf(["attacker.example.net"], signedBy: issuing)
        let forged = try scene.factory.leaf([TrustScene.host], signedBy: attacker)
        let verdict = try scene.system([forged, attacker, leaf, issuing], anchors: [root])
        #expect(verdict.finding.code == .notACertificateAuthority)
        #expect(verdict.decision == .block)
    }
}
