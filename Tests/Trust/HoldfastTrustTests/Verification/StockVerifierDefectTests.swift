import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Known defects of other verifiers and pinning libraries, with one test each. Other suites test most of them in more
/// detail.
@Suite("Known defects of other verifiers")
struct StockVerifierDefectTests {
    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    let server: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        server = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
    }

    @Test("defect: the verification is asynchronous")
    func synchronous() throws {
        let evaluate: (PresentedChain, TrustSubject, Timestamp) -> TrustVerdict = {
            TrustEngine(anchors: scene.anchors([root])).evaluate($0, for: $1, at: $2)
        }
        #expect(evaluate(scene.chain([server, issuing]), try scene.subject(), scene.now).decision == .allow)
    }

    @Test("defect: the common name is used if there is no alternative name")
    func commonNameFallback() throws {
        let old = try scene.factory.leaf(
            [], signedBy: issuing, .with { $0.commonName = TrustScene.host })
        expectOnly(.hostMismatch, try scene.system([old, issuing], anchors: [root]))
    }

    @Test("defect: a critical extended key usage is unsupported, and any other is ignored")
    func extendedKeyUsage() throws {
        let critical = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing, .with { $0.critical.insert(.extendedKeyUsage) })
        #expect(try scene.system([critical, issuing], anchors: [root]).decision == .allow)
        let client = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing, .init(extendedKeyUsages: [.clientAuth]))
        expectOnly(.extendedKeyUsage, try scene.system([client, issuing], anchors: [root]))
        let mail = try scene.factory.intermediate("Mail", signedBy: root, .init(extendedKeyUsages: [.emailProtection]))
        let below = try scene.factory.leaf([TrustScene.host], signedBy: mail)
        expectOnly(.extendedKeyUsage, try scene.system([below, mail], anchors: [root]))
    }

    @Test(
        "defect: a host with a trailing dot traps when compared with a wildcard",
        arguments: ["localhost.", "com.", "a.", "x.com."])
    func trailingDot(host: String) throws {
        for pattern in ["*.localhost", "*.com", "*", "*.", "*.example.com", "."] {
            let leaf = try scene.factory.leaf([pattern], signedBy: issuing)
            expectOnly(.hostMismatch, try scene.system([leaf, issuing], anchors: [root], host: host))
        }
    }

    @Test("defect: unlimited search, with authorities that all certify each other")
    func searchWithoutLimits() throws {
        let key = try Key()
        let parties = try (0..<4).map { try scene.factory.authority("Mesh \($0)", .init(key: key)) }
        var mesh: [Identity] = []
        for subject in 0..<4 {
            for issuer in 0..<4 where issuer != subject {
                for copy in 0..<5 {
                    let options = CertificateOptions.with {
                        $0.key = key
                        $0.serial = [UInt8(copy + 1)]
                    }
                    mesh.append(
                        try scene.factory.intermediate("Mesh \(subject)", signedBy: parties[issuer], options))
                }
            }
        }
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: parties[0])
        let verdict = try scene.system([leaf] + mesh, anchors: [root])
        #expect(verdict.decision == .block)
        #expect([.budgetExceeded, .unknownIssuer].contains(verdict.finding.code))
    }

    @Test("defect: the first valid path decides although another one is pinned")
    func firstPathDecides() throws {
        let other = try scene.factory.authority("Other root")
        let crossed = try scene.factory.intermediate("Issuing", signedBy: other, .init(key: issuing.key))
        for chain in [[server, issuing, crossed], [server, crossed, issuing]] {
            for pinned in [root, other] {
                let verdict = try scene.pinned(
                    chain, anchors: [root, other], under: scene.policy([Pin(pinned, .ca)]))
                #expect(verdict.finding.code == .pinMatched)
            }
        }
    }

    @Test("defect: pins are compared with the sent certificates (CVE-2016-2402)")
    func smuggledPin() throws {
        let victim = try scene.factory.authority("Pinned")
        let verdict = try scene.pinned(
            [server, issuing, victim], anchors: [root], under: scene.policy([Pin(victim)]))
        expectOnly(.pinMismatch, verdict)
    }

    @Test("defect: a root with an unknown key type fails a chain whose leaf is pinned")
    func unknownKeyAtRoot() throws {
        let strange = DERBytes.sequence([
            DERBytes.sequence([DERBytes.objectIdentifier("1.2.3.4.5")]), DERBytes.bitString([1, 2, 3]),
        ])
        let odd = try scene.factory.authority("Odd", .with { $0.publicKeyInfo = strange })
        let chain = [server, issuing, odd]
        #expect(try scene.pinned(chain, anchors: [root, odd], under: scene.policy([Pin(server)])).decision == .allow)
    }

    @Test("defect: an empty or unreadable list of pins disables pinning")
    func emptyPins() async throws {
        for evaluator in [
            PublicKeyPinningEvaluator(pinnedKeyHashes: []), PublicKeyPinningEvaluator(pinnedKeyHashes: [Data([0])]),
        ] {
            let context = TrustContext.evaluators([TrustScene.host: evaluator], anchors: scene.anchors([root]))
            let verdict = await context.judge(
                scene.chain([server, issuing]), for: try scene.subject(), at: scene.now
            ).verdict()
            expectOnly(.noUsablePins, verdict)
        }
    }

    @Test(
        "defect: another spelling of a pinned host is not pinned",
        arguments: ["CHAT.example.com", "chat.example.com.", "ch%61t.example.com"])
    func spelling(host: String) throws {
        let policy = try scene.policy([Pin(SPKIDigest(hashing: [1]))])
        expectOnly(.pinMismatch, try scene.pinned([server, issuing], anchors: [root], under: policy, host: host))
    }

    @Test("defect: a pin accepts a chain that is not trusted")
    func pinInsteadOfTrust() throws {
        let selfSigned = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let verdict = try scene.pinned([selfSigned], anchors: [root], under: scene.policy([Pin(selfSigned)]))
        expectOnly(.unknownIssuer, verdict)
    }

    @Test("defect: an unsupported root fails the whole store, or an unreadable certificate the whole chain")
    func unreadableExtra() throws {
        let chain = PresentedChain(der: [server.certificateDER, [0x30, 0x01, 0x00], issuing.certificateDER])
        let verdict = TrustEngine(anchors: scene.anchors([root])).evaluate(
            chain, for: try scene.subject(), at: scene.now)
        #expect(verdict.decision == .allow)
        #expect(verdict.unreadable.map(\.index) == [1])
    }
}
