import HoldfastBase
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Reads damaged answers, lists, PEM texts, policies and bundles. Nothing may trap, and no result may contradict the
/// signed contents.
@Suite("Damaged documents")
struct MutatedDocumentTests {
    static let seeds: [UInt64] = Array(0..<8)
    static let rounds = 200

    @Test("a damaged answer never reverses a revocation", arguments: seeds)
    func ocsp(seed: UInt64) throws {
        var mutation = Mutation(seed: seed)
        let fixture = try RevocationScene()
        let delegate = try OCSPResponder.delegate(of: fixture.issuing)
        var delegated = OCSPResponder(issuer: fixture.issuing, signer: delegate, now: fixture.now)
        delegated.status = .revoked(fixture.now)
        let bytes = [
            try fixture.responder { $0.status = .revoked(fixture.now) }.response(about: fixture.server),
            try delegated.response(about: fixture.server),
        ]
        for round in 0..<Self.rounds {
            let damaged = mutation.damaged(bytes[round % 2])
            do throws(OCSPError) {
                // The answer's signature does not cover the included certificates, so an unused certificate may be
                // damaged.
                let answer = try fixture.answer(damaged)
                #expect(answer.status == .revoked(fixture.now), "seed \(seed): \(damaged.hexadecimal)")
            } catch {
                #expect(!error.reason.isEmpty)
                if error.code == .malformed, let offset = error.offset { #expect((0...damaged.count).contains(offset)) }
            }
        }
    }

    /// Another issuer is also another key of the same name, or another part of the issuer's certificates.
    @Test("a damaged list never accepts the revoked server, unless it now belongs to another issuer", arguments: seeds)
    func lists(seed: UInt64) throws {
        var mutation = Mutation(seed: 100 + seed)
        let fixture = try RevocationScene()
        let bytes = try RevocationListDraft(issuer: fixture.issuing, revoking: [fixture.server]).der()
        for _ in 0..<Self.rounds {
            guard let list = try? RevocationList(der: mutation.damaged(bytes)) else { continue }
            let verdict = try TrustEngine(
                anchors: fixture.scene.anchors([fixture.root]), revocationLists: [list]
            ).evaluate(fixture.scene.chain(fixture.presented), for: fixture.scene.subject(), at: fixture.now)
            // A change of case does not change the name.
            let issuing = fixture.issuing.view.parsed
            let key = list.content.keyIdentifier.map { list.der[$0] }
            let isForIssuer =
                list.issuerDigest == issuing.subjectName
                && (key == nil || key == issuing.extensions.subjectKeyIdentifier.map { issuing.der[$0] })
                && list.covered(fixture.server.view, points: []) != nil
            #expect(verdict.permitsConnection == !isForIssuer, "seed \(seed): \(verdict)")
            var strict = TrustEngine(anchors: fixture.scene.anchors([fixture.root]), revocationLists: [list])
            strict.requiresRevocationLists = true
            let required = try strict.evaluate(
                fixture.scene.chain(fixture.presented), for: fixture.scene.subject(), at: fixture.now)
            #expect(!required.permitsConnection, "seed \(seed): \(required)")
        }
    }

    @Test("damaged PEM gives complete blocks or an error", arguments: seeds)
    func pem(seed: UInt64) throws {
        var mutation = Mutation(seed: 200 + seed)
        let fixture = try RevocationScene()
        let text = Array((fixture.server.chainPEM + "\n" + fixture.server.privateKeyPEM).utf8)
        for _ in 0..<Self.rounds {
            let damaged = mutation.damaged(text)
            do throws(CertificateError) {
                for certificate in try CertificateLoading.certificates(in: damaged) { _ = certificate.description }
            } catch {
                #expect(!error.reason.isEmpty)
                if let offset = error.offset { #expect(offset >= 0) }
            }
            _ = PEMReader.isPEM(damaged)
        }
    }

    @Test("a damaged policy is read or refused with positions, and can be evaluated for any host", arguments: seeds)
    func policies(seed: UInt64) throws {
        var mutation = Mutation(seed: 300 + seed)
        let host = try CanonicalHost("www.example.com")
        let text = BundleWorld.policy(1, more: #", "expires": "2031-03-15T12:00:00Z", "enforcement": "reportOnly""#)
        for _ in 0..<Self.rounds {
            do throws(PolicyError) {
                let policy = try PinningPolicy(holdfastJSON: mutation.damaged(text))
                _ = policy.explain(host, at: CertificateFactory.referenceTime)
            } catch {
                #expect(!error.problems.isEmpty)
            }
        }
    }

    @Test("a damaged bundle is refused, or its signed contents are unchanged", arguments: seeds)
    func bundles(seed: UInt64) throws {
        var mutation = Mutation(seed: 400 + seed)
        let world = try BundleWorld()
        let bytes = try world.bundle(4)
        let signed = try SignedBundle(bytes).verify(keys: world.keys, application: BundleWorld.application).policy
        for _ in 0..<Self.rounds / 2 {
            var state = try world.state()
            do throws(BundleError) {
                try state.offer(mutation.damaged(bytes), at: world.now)
                #expect(state.policy == signed && state.version == 4)
            } catch {
                #expect(state.version == 3 && state.origin == .embedded && !error.reason.isEmpty)
            }
        }
    }
}

extension CertificateView {
    fileprivate var description: String { subject + issuer + names.joined() }
}
