import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Certificate authorities")
struct AuthorityTests {
    let scene = TrustScene()
    let root: Identity

    init() throws {
        root = try scene.factory.authority("Root")
    }

    /// Returns the chain of a server below an intermediate with these options, and the same chain with a valid
    /// intermediate.
    private func chains(_ options: CertificateOptions) throws -> (flawed: [Identity], sound: [Identity]) {
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root, options)
        let sound = try scene.factory.intermediate("Issuing", signedBy: root, .init(key: issuing.key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        return ([leaf, issuing], [leaf, sound])
    }

    @Test("refuses a customer certificate as an issuer, without the CA bit or without basic constraints")
    func missingCABit() throws {
        for options in [CertificateOptions(isCA: false), .init(omitting: [.basicConstraints])] {
            let (flawed, sound) = try chains(options)
            expectOnly(.notACertificateAuthority, try scene.system(flawed, anchors: [root]))
            // With the CA bit, the same leaf is accepted.
            #expect(try scene.system(sound, anchors: [root]).decision == .allow)
        }
    }

    @Test("refuses key usage without keyCertSign, and accepts a missing key usage")
    func missingCertSign() throws {
        let (flawed, sound) = try chains(.init(keyUsage: [.digitalSignature, .crlSign]))
        expectOnly(.keyUsage, try scene.system(flawed, anchors: [root]))
        #expect(try scene.system(sound, anchors: [root]).decision == .allow)
        let (silent, _) = try chains(.init(omitting: [.keyUsage]))
        #expect(try scene.system(silent, anchors: [root]).decision == .allow)
    }

    @Test("applies the same rules to anchors")
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

    @Test("a version 1 certificate cannot be an issuer")
    func versionOne() throws {
        let (flawed, sound) = try chains(.with { $0.version = 1 })
        #expect(try scene.system(flawed, anchors: [root]).finding.code == .notACertificateAuthority)
        #expect(try scene.system(sound, anchors: [root]).decision == .allow)
    }

    @Test("an authority without a name cannot be an issuer")
    func namelessAuthority() throws {
        let (flawed, _) = try chains(.with { $0.commonName = "" })
        expectOnly(.malformedCertificate, try scene.system(flawed, anchors: [root]))
    }

    // MARK: - Path length

    /// Returns a chain of `count` intermediates below a root with this path length.
    private func tower(_ count: Int, limit: Int, selfIssued: Int = 0) throws -> (chain: [Identity], root: Identity) {
        let root = try scene.factory.authority("Limited root", .init(pathLength: limit))
        var above = root
        var chain: [Identity] = []
        for _ in 0..<selfIssued {
            // A self-issued certificate has the name of its issuer and a new key.
            above = try scene.factory.intermediate("Limited root", signedBy: above)
            chain.insert(above, at: 0)
        }
        for index in 0..<count {
            above = try scene.factory.intermediate("Level \(index)", signedBy: above)
            chain.insert(above, at: 0)
        }
        return ([try scene.factory.leaf([TrustScene.host], signedBy: above)] + chain, root)
    }

    @Test("the path length limits the intermediates below", arguments: 0...3)
    func pathLength(limit: Int) throws {
        let fitting = try tower(limit, limit: limit)
        #expect(try scene.system(fitting.chain, anchors: [fitting.root]).decision == .allow)
        let tooLong = try tower(limit + 1, limit: limit)
        let verdict = try scene.system(tooLong.chain, anchors: [tooLong.root])
        expectOnly(.pathLengthExceeded, verdict)
        #expect(verdict.finding.facts.limit == limit)
    }

    @Test("only self-issued intermediates do not count")
    func selfIssued() throws {
        let fitting = try tower(1, limit: 1, selfIssued: 2)
        #expect(try scene.system(fitting.chain, anchors: [fitting.root]).decision == .allow)
        let tooLong = try tower(2, limit: 1, selfIssued: 2)
        expectOnly(.pathLengthExceeded, try scene.system(tooLong.chain, anchors: [tooLong.root]))
    }

    @Test("refuses an authority below an authority with path length 0; without the limit the path is valid")
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

    @Test("ignores the path length of the leaf")
    func leafPathLength() throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(isCA: true, pathLength: 0))
        #expect(try scene.system([leaf], anchors: [root]).decision == .allow)
    }

    @Test("applies the caller's limit of intermediates, without self-issued ones")
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

    @Test("refuses a leaf whose key usage does not allow signatures")
    func leafKeyUsage() throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(keyUsage: [.keyEncipherment]))
        expectOnly(.keyUsage, try scene.system([leaf], anchors: [root]))
        let silent = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(omitting: [.keyUsage]))
        #expect(try scene.system([silent], anchors: [root]).decision == .allow)
    }
}
