import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests the verification of one answer, which is a function of the answer, the path and the time.
@Suite("OCSP answers")
struct OCSPVerificationTests {
    let fixture: RevocationScene

    init() throws {
        fixture = try RevocationScene()
    }

    private func answer(_ change: (inout OCSPResponder) -> Void = { _ in }) throws -> [UInt8] {
        try fixture.responder(change).response(about: fixture.server)
    }

    private func expect(
        _ code: OCSPError.Code?, _ bytes: [UInt8], nonce: [UInt8]? = nil, at time: Timestamp? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = fixture.refusal(bytes, nonce: nonce, at: time)
        #expect(error?.code == code, "\(error?.description ?? "accepted")", sourceLocation: sourceLocation)
    }

    // MARK: - Status

    @Test(
        "reads good, revoked and unknown, with the signer identified by name or by key",
        arguments: OCSPResponder.Naming.allCases)
    func statuses(naming: OCSPResponder.Naming) throws {
        let revokedAt = fixture.now.advanced(bySeconds: -100)
        let expected: [(OCSPResponder.Status, OCSPStatus)] = [
            (.good, .good), (.revoked(revokedAt), .revoked(revokedAt)), (.unknown, .unknown),
        ]
        for (said, read) in expected {
            let bytes = try answer {
                $0.naming = naming
                $0.status = said
            }
            #expect(try fixture.answer(bytes).status == read)
        }
    }

    @Test("a delegate of the issuer may answer", arguments: [KeyKind.p256, .p384, .p521, .ed25519])
    func delegate(kind: KeyKind) throws {
        let delegate = try OCSPResponder.delegate(of: fixture.issuing) {
            $0.keyKind = kind
            $0.extraExtensions = [.applicationPolicies([.ocspSigning])]
        }
        for naming in OCSPResponder.Naming.allCases {
            var responder = OCSPResponder(issuer: fixture.issuing, signer: delegate, now: fixture.now)
            responder.naming = naming
            #expect(try fixture.answer(responder.response(about: fixture.server)).status == .good)
        }
    }

    @Test("an answer about several certificates is valid for each")
    func several() throws {
        let other = try fixture.scene.factory.leaf(["other.example.com"], signedBy: fixture.issuing)
        #expect(try fixture.answer(answer { $0.others = [other] }).status == .good)
    }

    @Test("accepts version 1, encoded or omitted, and refuses other versions")
    func versions() throws {
        try expect(nil, answer { $0.encodedVersion = 0 })
        try expect(.malformed, answer { $0.encodedVersion = 1 })
    }

    // MARK: - Certificate and signer

    @Test("refuses an answer about another certificate or about the same serial number of another issuer")
    func otherCertificate() throws {
        let other = try fixture.scene.factory.leaf([TrustScene.host], signedBy: fixture.issuing)
        expect(.otherCertificate, try fixture.responder().response(about: other))
        expect(.otherCertificate, try answer { $0.omitsSubject = true })
        let stranger = try fixture.scene.factory.authority("Stranger")
        expect(.otherCertificate, try answer { $0.issuer = stranger })
        // The same name with another key, and the same key with another name.
        let twin = try fixture.scene.factory.authority("Issuing")
        expect(.otherCertificate, try answer { $0.issuer = twin })
        let renamed = try fixture.scene.factory.authority("Issuing 2", .init(key: fixture.issuing.key))
        expect(.otherCertificate, try answer { $0.issuer = renamed })
    }

    @Test("refuses an unrelated signer, under its own name and under the issuer's")
    func stranger() throws {
        let stranger = try fixture.scene.factory.authority("Stranger")
        expect(.unauthorizedResponder, try answer { $0.signer = stranger })
        expect(
            .badSignature,
            try answer {
                $0.signer = stranger
                $0.claims = $0.issuer
            })
        expect(
            .unauthorizedResponder,
            try answer {
                $0.signer = stranger
                $0.certificates = [stranger.certificateDER]
            })
    }

    @Test("refuses an answer of the root about a certificate that its intermediate issued")
    func grandparent() throws {
        expect(
            .unauthorizedResponder,
            try answer {
                $0.signer = fixture.root
                $0.certificates = [fixture.root.certificateDER]
            })
    }

    private static let unfit: [(String, @Sendable (inout CertificateOptions, RevocationScene) -> Void)] = [
        ("no purpose", { options, _ in options.extendedKeyUsages = [] }),
        ("for servers", { options, _ in options.extendedKeyUsages = [.serverAuth] }),
        ("any purpose", { options, _ in options.extendedKeyUsages = [.any] }),
        ("expired", { options, scene in options.notAfter = scene.now.advanced(bySeconds: -1) }),
        ("not yet valid", { options, scene in options.notBefore = scene.now.advanced(bySeconds: 1) }),
        ("key for other things", { options, _ in options.keyUsage = [.keyEncipherment] }),
        ("critical extension", { options, _ in options.extraExtensions = [.init("1.2.3.4", isCritical: true)] }),
        (
            "application policies for servers",
            { options, _ in options.extraExtensions = [.applicationPolicies([.serverAuth])] }
        ),
        (
            "critical policy constraints",
            { options, _ in options.extraExtensions = [.policyConstraints(requireExplicitPolicy: 0)] }
        ),
        ("broken signature", { options, _ in options.breaksSignature = true }),
        ("self-signed", { options, _ in options.signingKey = options.key }),
        ("signed with SHA-1", { options, _ in options.signatureHash = .sha1 }),
        ("malformed", { options, _ in options.outerSignatureHash = .sha384 }),
    ]

    @Test("refuses a delegate whose certificate does not allow answering", arguments: 0..<unfit.count)
    func unfitDelegate(index: Int) throws {
        let (name, change) = Self.unfit[index]
        let delegate = try OCSPResponder.delegate(of: fixture.issuing) { options in
            options.key = try? Key()
            change(&options, fixture)
        }
        let responder = OCSPResponder(issuer: fixture.issuing, signer: delegate, now: fixture.now)
        let error = fixture.refusal(try responder.response(about: fixture.server))
        #expect(error?.code == .unauthorizedResponder, "\(name): \(error?.reason ?? "accepted")")
    }

    @Test("refuses a delegate without extended key usage, and a delegate of another authority")
    func foreignDelegate() throws {
        let bare = try OCSPResponder.delegate(of: fixture.issuing) { $0.omitting = [.extendedKeyUsage] }
        let foreign = try OCSPResponder.delegate(of: fixture.root)
        for signer in [bare, foreign] {
            let responder = OCSPResponder(issuer: fixture.issuing, signer: signer, now: fixture.now)
            expect(.unauthorizedResponder, try responder.response(about: fixture.server))
        }
    }

    @Test("refuses an answer that the server signed with its own certificate")
    func serverAnswersForItself() throws {
        let responder = OCSPResponder(issuer: fixture.issuing, signer: fixture.server, now: fixture.now)
        expect(.unauthorizedResponder, try responder.response(about: fixture.server))
    }

    @Test("refuses an answer without the certificate of its delegate")
    func delegateMissing() throws {
        let delegate = try OCSPResponder.delegate(of: fixture.issuing)
        expect(
            .unauthorizedResponder,
            try answer {
                $0.signer = delegate
                $0.certificates = []
            })
    }

    @Test("refuses an invalid signature, and one with a hash that is not secure")
    func signatures() throws {
        expect(.badSignature, try answer { $0.breaksSignature = true })
        for hash in [SignatureHash.sha1, .md5] { expect(.badSignature, try answer { $0.signatureHash = hash }) }
    }

    @Test("refuses an answer with one changed bit, for any byte")
    func changedBits() throws {
        let bytes = try answer()
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(fixture.refusal(changed) != nil, "byte \(index)")
        }
    }

    // MARK: - Dates

    @Test("an answer is valid from its start to its end, with a tolerance of five minutes for the responder's clock")
    func dates() throws {
        let bytes = try answer {
            $0.thisUpdate = fixture.now
            $0.producedAt = fixture.now
            $0.nextUpdate = fixture.now.advanced(bySeconds: 1_000)
        }
        let expected: [(Int64, OCSPError.Code?)] = [
            (-301, .notYetValid), (-300, nil), (0, nil), (1_000, nil), (1_001, .expired),
        ]
        for (offset, code) in expected { expect(code, bytes, at: fixture.now.advanced(bySeconds: offset)) }
        #expect(try fixture.answer(bytes).until == fixture.now.advanced(bySeconds: 1_000))
    }

    @Test("an answer without an end is valid for a day")
    func withoutNextUpdate() throws {
        let bytes = try answer {
            $0.thisUpdate = fixture.now
            $0.nextUpdate = nil
        }
        expect(nil, bytes, at: fixture.now.advanced(bySeconds: 86_400))
        expect(.expired, bytes, at: fixture.now.advanced(bySeconds: 86_401))
    }

    @Test("a replayed old answer is refused, but an old revocation is accepted")
    func replay() throws {
        let later = fixture.now.advanced(bySeconds: 90 * 86_400)
        expect(.expired, try answer(), at: later)
        let revoked = try answer { $0.status = .revoked(fixture.now) }
        #expect(try fixture.answer(revoked, at: later).status == .revoked(fixture.now))
    }

    @Test("refuses an answer that ends before it starts, and one that was produced in the future")
    func impossibleDates() throws {
        expect(.malformed, try answer { $0.nextUpdate = $0.thisUpdate.advanced(bySeconds: -1) })
        expect(.notYetValid, try answer { $0.producedAt = fixture.now.advanced(bySeconds: 301) })
    }

    @Test("an answer is not valid beyond the certificate of its delegate")
    func endsWithTheDelegate() throws {
        let end = fixture.now.advanced(bySeconds: 60)
        let delegate = try OCSPResponder.delegate(of: fixture.issuing) { $0.notAfter = end }
        let responder = OCSPResponder(issuer: fixture.issuing, signer: delegate, now: fixture.now)
        #expect(try fixture.answer(responder.response(about: fixture.server)).until == end)
    }

    @Test("extreme times do not trap", arguments: [Int64.min, .max, 0])
    func extremes(seconds: Int64) throws {
        _ = fixture.refusal(try answer(), at: Timestamp(secondsSince1970: seconds))
    }

    // MARK: - Nonces

    @Test("with a nonce, the answer must match this request")
    func nonce() throws {
        let nonce: [UInt8] = Array(1...32)
        let responder = fixture.responder()
        expect(nil, try responder.response(about: fixture.server, nonce: nonce), nonce: nonce)
        expect(.nonceMismatch, try responder.response(about: fixture.server), nonce: nonce)
        expect(.nonceMismatch, try responder.response(about: fixture.server, nonce: Array(2...33)), nonce: nonce)
        // The request had no nonce, so an answer with a nonce is as valid as one without.
        expect(nil, try responder.response(about: fixture.server, nonce: nonce))
    }

    @Test("refuses critical extensions that are not processed, in the answer and in a single response")
    func criticalExtensions() throws {
        let unknown = ExtraExtension("1.2.3.4", isCritical: true)
        expect(.unhandledCriticalExtension, try answer { $0.extensions = [unknown] })
        expect(.unhandledCriticalExtension, try answer { $0.singleExtensions = [unknown] })
        let harmless = ExtraExtension("1.2.3.4")
        expect(
            nil,
            try answer {
                $0.extensions = [harmless]
                $0.singleExtensions = [harmless]
            })
    }

    // MARK: - Format

    @Test("reports the responder's error status", arguments: [1, 2, 3, 5, 6, 99] as [UInt8])
    func refusals(status: UInt8) {
        expect(.notSuccessful, OCSPResponder.refusal(status))
    }

    @Test("refuses a truncated answer, and one with trailing bytes")
    func truncated() throws {
        let bytes = try answer()
        for length in bytes.indices {
            let error = fixture.refusal(Array(bytes.prefix(length)))
            #expect(error?.code == .malformed && error?.offset != nil, "at \(length)")
        }
        expect(.malformed, bytes + [0])
    }

    @Test("refuses bytes that are not an answer")
    func noAnswer() throws {
        expect(.malformed, Array("<html>captive portal</html>".utf8))
        expect(.malformed, fixture.server.certificateDER)
        expect(.tooLarge, [UInt8](repeating: 0x30, count: OCSPResponse.maximumSize + 1))
    }

    @Test("refuses an answer with too many certificates or single responses")
    func limits() throws {
        let der = fixture.issuing.certificateDER
        expect(nil, try answer { $0.certificates = Array(repeating: der, count: 8) })
        expect(.malformed, try answer { $0.certificates = Array(repeating: der, count: 9) })
        expect(nil, try answer { $0.others = Array(repeating: fixture.issuing, count: 99) })
        expect(.malformed, try answer { $0.others = Array(repeating: fixture.issuing, count: 100) })
    }

    @Test("accepts an answer that also contains an unreadable certificate")
    func unreadableCertificate() throws {
        expect(nil, try answer { $0.certificates = [DERBytes.sequence([DERBytes.null()])] })
    }
}
