import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("What makes an authority")
struct AuthorityTests {
    let scene = TrustScene()
    let root: Identity

    init() throws {
        root = try scene.factory.authority("Root")
    }

    /// The chain of a server below an intermediate with these options, and the same with a sound intermediate.
    private func chains(_ options: CertificateOptions) throws -> (flawed: [Identity], sound: [Identity]) {
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root, options)
        let sound = try scene.factory.intermediate("Issuing", signedBy: root, .init(key: issuing.key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        return ([leaf, issuing], [leaf, sound])
    }

    @Test("a customer of the authority signs for somebody else: no CA bit, or no basic constraints at all")
    func missingCABit() throws {
        for options in [CertificateOptions(isCA: false), .init(omitting: [.basicConstraints])] {
            let (flawed, sound) = try chains(options)
            expectOnly(.notACertificateAuthority, try scene.system(flawed, anchors: [root]))
            // With the bit set, the very same leaf is inside.
            #expect(try scene.system(sound, anchors: [root]).decision == .allow)
        }
    }

    @Test("key usage without keyCertSign; without key usage there is nothing to check")
    func missingCertSign() throws {
        let (flawed, sound) = try chains(.init(keyUsage: [.digitalSignature, .crlSign]))
        expectOnly(.keyUsage, try scene.system(flawed, anchors: [root]))
        #expect(try scene.system(sound, anchors: [root]).decision == .allow)
        let (silent, _) = try chains(.init(omitting: [.keyUsage]))
        #expect(try scene.system(silent, anchors: [root]).decision == .allow)
    }

    @Test("anchors are held to the same rules")
    func anchorRules() throws {
        for (options, code) in [
            (CertificateOptions(isCA: false), TrustFinding.Code.notACertificateAuthority),
            (.init(keyUsage: [.digitalSignature]), .keyUsage),
            (.with { $0.version = 1 }, .notACertificateAuthority),
        ] {
            let flawed = try scene.factory.authority("Flawed root", options)
            let leaf = try scene.factory.leaf([TrustScene.host], signedBy: flawed)
            #expect(try scene.system([leaf], anchors: [flawed]).finding.code == code)
        }
    }

    @Test("a version 1 certificate issues nothing")
    func versionOne() throws {
        let (flawed, sound) = try chains(.with { $0.version = 1 })
        #expect(try scene.system(flawed, anchors: [root]).finding.code == .notACertificateAuthority)
        #expect(try scene.system(sound, anchors: [root]).decision == .allow)
    }

    @Test("an authority without a name issues nothing")
    func namelessAuthority() throws {
        let (flawed, _) = try chains(.with { $0.commonName = "" })
        expectOnly(.malformedCertificate, try scene.system(flawed, anchors: [root]))
    }

    // MARK: - Path length

    /// A chain of `count` intermediates below a root with this path length.
    private func tower(_ count: Int, limit: Int, selfIssued: Int = 0) throws -> (chain: [Identity], root: Identity) {
        let root = try scene.factory.authority("Limited root", .init(pathLength: limit))
        var above = root
        var chain: [Identity] = []
        for _ in 0..<selfIssued {
            // Self-issued: the issuer's name with a new key.
            above = try scene.factory.intermediate("Limited root", signedBy: above)
            chain.insert(above, at: 0)
        }
        for index in 0..<count {
            above = try scene.factory.intermediate("Level \(index)", signedBy: above)
            chain.insert(above, at: 0)
        }
        return ([try scene.factory.leaf([TrustScene.host], signedBy: above)] + chain, root)
    }

    @Test("path length counts the intermediates below", arguments: 0...3)
    func pathLength(limit: Int) throws {
        let fitting = try tower(limit, limit: limit)
        #expect(try scene.system(fitting.chain, anchors: [fitting.root]).decision == .allow)
        let tooLong = try tower(limit + 1, limit: limit)
        let verdict = try scene.system(tooLong.chain, anchors: [tooLong.root])
        expectOnly(.pathLengthExceeded, verdict)
        #expect(verdict.finding.facts.limit == limit)
    }

    @Test("self-issued intermediates are exempt, and none else")
    func selfIssued() throws {
        let fitting = try tower(1, limit: 1, selfIssued: 2)
        #expect(try scene.system(fitting.chain, anchors: [fitting.root]).decision == .allow)
        let tooLong = try tower(2, limit: 1, selfIssued: 2)
        expectOnly(.pathLengthExceeded, try scene.system(tooLong.chain, anchors: [tooLong.root]))
    }

    @Test("an authority that may have none below it made one: without its limit the attack would succeed")
    func subordinateOfLimited() throws {
        let (flawed, sound) = try {
            let limited = try scene.factory.intermediate("Customer", signedBy: root, .init(pathLength: 0))
            let unlimited = try scene.factory.intermediate("Customer", signedBy: root, .init(key: limited.key))
            let forged = try scene.factory.intermediate("Forged", signedBy: limited)
            let leaf = try scene.factory.leaf([TrustScene.host], signedBy: forged)
            return ([leaf, forged, limited], [leaf, forged, unlimited])
        }()
        expectOnly(.pathLengthExceeded, try scene.system(flawed, anchors: [root]))
        #expect(try scene.system(sound, anchors: [root]).decision == .allow)
    }

    @Test("the path length of the leaf itself means nothing")
    func leafPathLength() throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(isCA: true, pathLength: 0))
        #expect(try scene.system([leaf], anchors: [root]).decision == .allow)
    }

    @Test("the caller's limit of intermediates, self-issued ones not counted")
    func maximumIntermediates() throws {
        let two = try tower(2, limit: 9, selfIssued: 1)
        #expect(
            try scene.outcome(two.chain, anchors: [two.root], scene.options { $0.maximumIntermediates = 2 }).path
                != nil)
        let refused = try scene.outcome(
            two.chain, anchors: [two.root], scene.options { $0.maximumIntermediates = 1 })
        #expect(refused.finding.code == .pathLengthExceeded)
    }

    // MARK: - The leaf's key usage

    @Test("a leaf whose key may not sign cannot do a handshake of ours")
    func leafKeyUsage() throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(keyUsage: [.keyEncipherment]))
        expectOnly(.keyUsage, try scene.system([leaf], anchors: [root]))
        let silent = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(omitting: [.keyUsage]))
        #expect(try scene.system([silent], anchors: [root]).decision == .allow)
    }
}
