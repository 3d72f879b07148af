import HoldfastBase
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Verifies damaged certificates and chains with the whole engine. Nothing may trap, every verdict must have a finding,
/// and only a certificate that equals the signed bytes may be accepted.
@Suite("Damaged certificates")
struct MutatedCertificateTests {
    static let seeds: [UInt64] = Array(0..<12)
    static let rounds = 60

    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    /// A server certificate with every element that the engine reads.
    let server: Identity

    init() throws {
        root = try scene.factory.authority("Root", .init(key: .shared(.p256, "mutation root")))
        issuing = try scene.factory.intermediate(
            "Issuing", signedBy: root,
            .with {
                $0.key = try .shared(.p256, "mutation issuing")
                $0.pathLength = 0
                $0.nameConstraints = NameConstraintSet(
                    permittedDNSNames: ["example.com"], excludedIPRanges: [[10, 0, 0, 0, 255, 0, 0, 0]],
                    excludedDirectoryNames: [CertificateName.der("Nobody", "None")])
            })
        server = try scene.factory.leaf(
            [TrustScene.host, "*.example.com"], ipAddresses: ["192.0.2.1", "2001:db8::1"], signedBy: issuing,
            .with {
                $0.key = try .shared(.p256, "mutation server")
                $0.organization = "Beispiel Größe"
                $0.extraExtensions = [.ocspResponders(RevocationScene.url), .mustStaple]
            })
    }

    /// Returns the verdicts of every mode of the engine on one chain.
    private func verdicts(_ chain: PresentedChain) throws -> (trusting: [TrustVerdict], all: [TrustVerdict]) {
        let engine = TrustEngine(anchors: scene.anchors([root]))
        let subject = try scene.subject()
        let pinned = try scene.policy([Pin(root)])
        let denied = try scene.policy([Pin(SPKIDigest(hashing: [1]))], denied: [Pin(SPKIDigest(hashing: [2]))])
        let keysOnly = PinnedKeysVerification(pins: PinnedKeysOnly(certificates: [root.view]))
        let trusting = [
            engine.evaluate(chain, for: subject, at: scene.now),
            engine.evaluate(chain, for: subject, at: scene.now, under: pinned),
            keysOnly.evaluate(chain, for: subject, at: scene.now),
        ]
        return (trusting, trusting + [engine.evaluate(chain, for: subject, at: scene.now, under: denied)])
    }

    @Test("refuses a damaged server certificate in every mode, with a reason", arguments: seeds)
    func server(seed: UInt64) throws {
        var mutation = Mutation(seed: seed)
        for _ in 0..<Self.rounds {
            let der = mutation.damaged(server.certificateDER)
            let chain = PresentedChain(der: [der, issuing.certificateDER])
            let verdicts = try verdicts(chain).all
            for verdict in verdicts {
                #expect(!verdict.permitsConnection, "seed \(seed): \(verdict) \(der.hexadecimal)")
                #expect(!verdict.finding.reason.isEmpty && !verdict.description.isEmpty)
            }
            if let leaf = chain.leaf {
                // Reads all properties that a caller may use.
                _ = [leaf.subject, leaf.issuer, leaf.serialNumber, leaf.keyDescription, leaf.pem] + leaf.names
                _ = RevocationPointers(leaf)
                _ = leaf.rawKeyDigest
            }
        }
    }

    @Test("a damaged intermediate does not connect a path", arguments: seeds)
    func intermediate(seed: UInt64) throws {
        var mutation = Mutation(seed: 1_000 + seed)
        for _ in 0..<Self.rounds {
            let der = mutation.damaged(issuing.certificateDER)
            for verdict in try verdicts(PresentedChain(der: [server.certificateDER, der])).all {
                #expect(!verdict.permitsConnection, "seed \(seed): \(verdict) \(der.hexadecimal)")
            }
        }
    }

    @Test("damaged certificates after a valid chain have no effect", arguments: seeds)
    func extras(seed: UInt64) throws {
        var mutation = Mutation(seed: 2_000 + seed)
        for _ in 0..<Self.rounds / 2 {
            let extras = [server, issuing, root].map { mutation.damaged($0.certificateDER) }
            let chain = PresentedChain(der: [server.certificateDER, issuing.certificateDER] + extras)
            for verdict in try verdicts(chain).trusting {
                #expect(verdict.decision == .allow, "seed \(seed): \(verdict)")
            }
        }
    }

    @Test(
        "damaged and re-signed certificates never trap",
        arguments: seeds)
    func signedAgain(seed: UInt64) throws {
        var mutation = Mutation(seed: 3_000 + seed)
        for _ in 0..<Self.rounds / 2 {
            let leaf = try Resigned.certificate(server, by: issuing.key) { $0 = mutation.damaged($0) }
            let authority = try Resigned.certificate(issuing, by: root.key) { $0 = mutation.damaged($0) }
            for chain in [[leaf, issuing.certificateDER], [server.certificateDER, authority], [leaf, authority]] {
                for verdict in try verdicts(PresentedChain(der: chain)).all {
                    #expect(!verdict.finding.reason.isEmpty)
                    // Every accepted path must end in the trusted root.
                    if verdict.finding.isFavourable {
                        #expect(verdict.path?.certificates.last == root.view, "seed \(seed)")
                    }
                }
            }
        }
    }
}
