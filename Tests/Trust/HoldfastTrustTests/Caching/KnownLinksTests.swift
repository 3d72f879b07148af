import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests that a remembered signature saves only its own check.
@Suite("Known links")
struct KnownLinksTests {
    let scene = TrustScene()
    let root: Identity
    let intermediate: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        intermediate = try scene.factory.intermediate("Intermediate", signedBy: root)
    }

    private func leaf(_ issuer: Identity? = nil) throws -> Identity {
        try scene.factory.leaf([TrustScene.host], signedBy: issuer ?? intermediate)
    }

    /// Verifies a chain and returns the path, if it was accepted, and the number of signature checks.
    private func search(
        _ presented: [Identity], _ links: KnownLinks, accepts: Bool = true
    ) throws -> (path: VerifiedPath?, checks: Int) {
        var search = PathSearch(
            chain: scene.chain(presented), leaf: presented[0].view, anchors: [AnchorIndex([root.view])],
            options: try scene.options(), time: scene.now, links: links)
        let outcome = search.search(.strict) { _ in accepts }
        if case .found(let path) = outcome { return (path, search.spent.signatureChecks) }
        return (nil, search.spent.signatureChecks)
    }

    @Test func aKnownIntermediateCostsNoSignatureCheck() throws {
        let links = KnownLinks()
        #expect(try search([leaf(), intermediate], links).checks == 2)
        let again = try search([leaf(), intermediate], links)
        #expect(again.checks == 1)
        #expect(again.path?.certificates.count == 3)
    }

    /// A server may have thousands of certificates, so its own is checked each time.
    @Test func theServersOwnCertificateIsNotRemembered() throws {
        let links = KnownLinks()
        let leaf = try leaf()
        _ = try search([leaf, intermediate], links)
        #expect(!links.contains(leaf.view, signedBy: intermediate.view))
        #expect(links.contains(intermediate.view, signedBy: root.view))
        #expect(try search([leaf, intermediate], links).checks == 1)
    }

    /// An attacker has a certificate with the name and the key of the known intermediate, but not its signature.
    @Test func anotherCertificateWithTheSameNameAndKeyIsChecked() throws {
        let links = KnownLinks()
        _ = try search([leaf(), intermediate], links)
        let impostor = try scene.factory.authority("Root")
        let forged = try scene.factory.intermediate(
            "Intermediate", signedBy: impostor, CertificateOptions(key: intermediate.key))
        #expect(try search([leaf(forged), forged], links).path == nil)
        // The same link does not count for another root of the same name either.
        #expect(!links.contains(intermediate.view, signedBy: impostor.view))
        #expect(links.contains(intermediate.view, signedBy: root.view))
    }

    /// Only the signature is remembered: dates are those of each evaluation.
    @Test func anExpiredAuthorityIsRefused() throws {
        let short = try scene.factory.intermediate(
            "Short", signedBy: root, CertificateOptions(notAfter: scene.now.advanced(bySeconds: 60)))
        let engine = TrustEngine(anchors: scene.anchors([root])).rememberingLinks()
        let (chain, subject) = (scene.chain([try leaf(short), short]), try scene.subject())
        #expect(engine.evaluate(chain, for: subject, at: scene.now).decision == .allow)
        #expect(engine.links?.contains(short.view, signedBy: root.view) == true)
        let later = engine.evaluate(chain, for: subject, at: scene.now.advanced(bySeconds: 120))
        expectOnly(.expired, later)
    }

    /// A path that the pins refuse is not accepted, so that an attacker's authorities displace nothing.
    @Test func aRefusedPathIsNotRemembered() throws {
        let links = KnownLinks()
        #expect(try search([leaf(), intermediate], links, accepts: false).path == nil)
        #expect(!links.contains(intermediate.view, signedBy: root.view))
        #expect(try search([leaf(), intermediate], links).checks == 2)
    }

    @Test func theOldestLinkIsRemovedFirst() throws {
        let links = KnownLinks()
        let key = intermediate.key
        func path(_ number: Int) throws -> VerifiedPath {
            let authority = try scene.factory.intermediate(
                "Intermediate \(number)", signedBy: root, CertificateOptions(key: key))
            return VerifiedPath(verified: [intermediate.view, authority.view, root.view])
        }
        let paths = try (0...KnownLinks.capacity).map(path)
        for path in paths.dropLast() { links.remember(path) }
        #expect(links.contains(paths[0].certificates[1], signedBy: root.view))
        links.remember(paths[KnownLinks.capacity])
        #expect(!links.contains(paths[0].certificates[1], signedBy: root.view))
        #expect(links.contains(paths[1].certificates[1], signedBy: root.view))
    }

    /// The mode of the chat SDK has a memory of its own.
    @Test func pinnedKeysOnlyRemembersLinks() throws {
        let links = KnownLinks()
        let middle = try scene.factory.intermediate("Middle", signedBy: intermediate)
        let pins = PinnedKeysOnly(certificates: [], pins: [Pin(intermediate)], hostnameVerification: .always)
        let verification = PinnedKeysVerification(pins: pins, links: links)
        let chain = scene.chain([try leaf(middle), middle, intermediate])
        let verdict = verification.evaluate(chain, for: try scene.subject(), at: scene.now)
        #expect(verdict.finding.code == .pinMatched)
        #expect(links.contains(middle.view, signedBy: intermediate.view))
    }
}
