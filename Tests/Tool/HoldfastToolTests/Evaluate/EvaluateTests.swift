import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("holdfast evaluate: decisions") struct EvaluateTests {
    let factory = CertificateFactory()
    let root: Identity
    let issuer: Identity
    let leaf: Identity

    init() throws {
        root = try factory.authority("Root")
        issuer = try factory.intermediate("Issuer", signedBy: root)
        leaf = try factory.leaf(["shop.example"], signedBy: issuer)
    }

    private func pins(_ identities: Identity..., more: [String: any Sendable] = [:]) -> [String: any Sendable] {
        more.merging(["pins": identities.map(\.spkiDigest.base64)]) { own, _ in own }
    }

    // MARK: The system verification alone

    @Test func validChainIsAllowedAndItsPathIsReported() async throws {
        let answer = try await Answer.to(TestCase("valid", leaf))
        #expect(answer.id == "valid")
        #expect(answer.summary == "allow validPath validPath")
        #expect(answer.path == [leaf, issuer, root].map(\.spkiDigest.base64))
        #expect(answer.reason?.isEmpty == false)
        #expect(answer.durationMicros ?? 0 > 0)
    }

    @Test func eachFaultHasItsFinding() async throws {
        let late = try factory.leaf(
            ["shop.example"], signedBy: issuer, .init(notAfter: factory.now.advanced(bySeconds: -1)))
        let stranger = try factory.leaf(["shop.example"], signedBy: try factory.authority("Stranger"))
        #expect(
            try await Answer.to(
                TestCase("host", leaf, host: "other.example"), TestCase("late", late),
                TestCase("stranger", stranger, anchors: [root]), TestCase("no anchor", leaf, anchors: []),
                TestCase("no certificate", leaf).with("chain", [String]())
            ).map(\.summary) == [
                "block hostMismatch hostMismatch", "block expired expired", "block unknownIssuer unknownIssuer",
                "block noTrustAnchors noTrustAnchors", "block noCertificates noCertificates",
            ])
    }

    @Test func usesTheTimeOfTheCase() async throws {
        let case_ = TestCase("then", leaf).with("time", factory.now.advanced(bySeconds: 86_400 * 365).description)
        #expect(try await Answer.to(case_).finding == "expired")
        // Without a time the current time counts, and the certificates are valid in the future.
        #expect(try await Answer.to(TestCase("now", leaf).without("time")).finding == "notYetValid")
    }

    @Test func aChainThatDoesNotParseIsBlocked() async throws {
        let garbage = ["not PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", ""]
        for text in garbage {
            let answer = try await Answer.to(TestCase("garbage", leaf).with("chain", [text]))
            #expect(answer.summary == "block unreadableLeaf unreadableLeaf", "\(text)")
        }
    }

    @Test func anUnreadableExtraCertificateIsSkipped() async throws {
        let chain = leaf.chain.map(CertificateText.pem) + ["garbage"]
        #expect(
            try await Answer.to(TestCase("extra", leaf).with("chain", chain)).summary == "allow validPath validPath")
    }

    @Test func aHostWithoutCanonicalFormIsBlocked() async throws {
        let answer = try await Answer.to(TestCase("host", leaf, host: "two words"))
        #expect(answer.summary == "block invalidHost invalidHost")
    }

    @Test func severalCertificatesMayShareOneText() async throws {
        let answer = try await Answer.to(TestCase("joined", leaf).with("chain", [leaf.chainPEM]))
        #expect(answer.finding == "validPath")
    }

    @Test func systemRootsDoNotContainTestRoot() async throws {
        let answer = try await Answer.to(TestCase("system", leaf).with("anchors", "system"))
        #expect(answer.decision == "block")
        // `noTrustAnchors` on machines without roots.
        #expect(["unknownIssuer", "noTrustAnchors"].contains(answer.finding))
    }

    // MARK: Policies

    @Test func onePinIsLegalAndMatchesAnywhereOnThePath() async throws {
        for pinned in [leaf, issuer, root] {
            let answer = try await Answer.to(TestCase("pin", leaf).policy(pins(pinned)))
            #expect(answer.summary == "allow pinMatched validPath")
        }
    }

    @Test func aPrefixedPinIsReadToo() async throws {
        let policy: [String: any Sendable] = ["pins": ["sha256/" + leaf.spkiDigest.base64]]
        #expect(try await Answer.to(TestCase("prefix", leaf).policy(policy)).finding == "pinMatched")
    }

    @Test func unmatchedPinBlocks() async throws {
        let other = try factory.authority("Other")
        #expect(try await Answer.to(TestCase("pin", leaf).policy(pins(other))).summary == "block pinMismatch validPath")
    }

    @Test func reportOnlyAllowsAndReportsMismatch() async throws {
        let other = try factory.authority("Other")
        let policy = pins(other, more: ["enforce": false])
        #expect(try await Answer.to(TestCase("report", leaf).policy(policy)).summary == "allow pinMismatch validPath")
        // An invalid chain is still blocked.
        #expect(
            try await Answer.to(TestCase("report", leaf, host: "b.example").policy(policy)).summary
                == "block hostMismatch hostMismatch")
    }

    @Test func smuggledPinnedCertificateIsIgnored() async throws {
        let attacker = try factory.leaf(["shop.example"], signedBy: try factory.authority("Attacker"))
        let chain = (attacker.chain + leaf.chain).map(CertificateText.pem)
        let anchors = [leaf.rootDER, attacker.rootDER].compactMap { $0 }.map(CertificateText.pem)
        let smuggled = TestCase("smuggled", attacker).with("chain", chain).with("anchors", anchors)
        #expect(try await Answer.to(smuggled.policy(pins(leaf))).summary == "block pinMismatch validPath")
        #expect(
            try await Answer.to(smuggled.policy(pins(leaf, more: ["mode": "pinnedKeysOnly"]))).summary
                == "block pinMismatch -")
        // Without pins the same chain is allowed: only the pin blocks it.
        #expect(try await Answer.to(smuggled).decision == "allow")
    }

    @Test func theScopeLimitsWhereAPinMatches() async throws {
        func summary(_ pinned: Identity, _ scope: String) async throws -> String {
            try await Answer.to(TestCase("scope", leaf).policy(pins(pinned, more: ["scope": scope]))).summary
        }
        #expect(try await summary(leaf, "leaf") == "allow pinMatched validPath")
        #expect(try await summary(leaf, "ca") == "block pinMismatch validPath")
        #expect(try await summary(issuer, "ca") == "allow pinMatched validPath")
        #expect(try await summary(root, "leaf") == "block pinMismatch validPath")
    }

    @Test func pinnedCertificatesMatchAsAWhole() async throws {
        let renewed = try factory.leaf(["shop.example"], signedBy: issuer, .init(key: leaf.key))
        let policy: [String: any Sendable] = ["certificates": [leaf.certificatePEM]]
        #expect(try await Answer.to(TestCase("same", leaf).policy(policy)).summary == "allow pinMatched validPath")
        #expect(
            try await Answer.to(TestCase("renewed", renewed).policy(policy)).summary == "block pinMismatch validPath")
    }

    @Test func anExpiredPolicyDoesNotApply() async throws {
        let other = try factory.authority("Other")
        let instant = factory.now.description
        let expired = pins(other, more: ["expires": instant])
        #expect(
            try await Answer.to(TestCase("expired", leaf).policy(expired)).summary
                == "notPinned policyExpired validPath")
        #expect(
            try await Answer.to(TestCase("expired", leaf, host: "b.example").policy(expired)).summary
                == "notPinned policyExpired hostMismatch")
        let later = pins(other, more: ["expires": factory.now.advanced(bySeconds: 1).description])
        #expect(try await Answer.to(TestCase("not yet", leaf).policy(later)).decision == "block")
        // Expired pinned keys no longer replace the system verification.
        let only = pins(leaf, more: ["expires": instant, "mode": "pinnedKeysOnly"])
        #expect(
            try await Answer.to(TestCase("only", leaf).policy(only)).summary == "notPinned policyExpired validPath")
    }

    @Test func noPinAtAllRefuses() async throws {
        for mode in ["system", "pinnedKeysOnly"] {
            let answer = try await Answer.to(TestCase("none", leaf).policy(["mode": mode]))
            #expect(answer.decision == "block")
            #expect(answer.finding == "noUsablePins")
        }
    }

    // MARK: Pinned keys only

    @Test func pinnedKeysReplaceTheSystemVerification() async throws {
        let selfSigned = try factory.leaf(
            ["old.example"], signedBy: nil, .init(notAfter: factory.now.advanced(bySeconds: -86_400)))
        let case_ = TestCase("self", selfSigned, anchors: []).policy(pins(selfSigned, more: ["mode": "pinnedKeysOnly"]))
        // Expired, self-signed, for another host, and without anchors.
        #expect(try await Answer.to(case_).summary == "allow pinMatched -")
        #expect(try await Answer.to(case_.without("anchors")).summary == "allow pinMatched -")
    }

    @Test func aMatchOnAnAuthorityNeedsTheHost() async throws {
        func summary(_ host: String, _ verification: String) async throws -> String {
            let policy = pins(issuer, more: ["mode": "pinnedKeysOnly", "hostnameVerification": verification])
            return try await Answer.to(TestCase("ca", leaf, host: host).policy(policy)).summary
        }
        #expect(try await summary("shop.example", "automatic") == "allow pinMatched -")
        #expect(try await summary("b.example", "automatic") == "block hostMismatch -")
        #expect(try await summary("b.example", "never") == "allow pinMatched -")
        #expect(try await summary("b.example", "always") == "block hostMismatch -")
    }

    @Test func listedCertificatesAreAnchorsEvenIfNotSent() async throws {
        let policy: [String: any Sendable] = ["certificates": [root.certificatePEM], "mode": "pinnedKeysOnly"]
        #expect(try await Answer.to(TestCase("listed", leaf).policy(policy)).summary == "allow pinMatched -")
    }
}
