import HoldfastTrust

/// The test cases of C2SP/x509-limbo. It contains only the fields that matter for a TLS client.
struct LimboSuite: Decodable {
    /// The host name that the certificate must match.
    struct PeerName: Decodable {
        var kind: String
        var value: String
    }

    /// One test case.
    struct Case: Decodable {
        var id: String
        var validationKind: String?
        var trustedCertificates: [String]
        var untrustedIntermediates: [String]
        var peerCertificate: String
        var validationTime: String?
        var expectedPeerName: PeerName?
        var maximumChainDepth: Int?
        var revocationLists: [String]?
        var expectedResult: String

        enum CodingKeys: String, CodingKey {
            case id
            case validationKind = "validation_kind"
            case trustedCertificates = "trusted_certs"
            case untrustedIntermediates = "untrusted_intermediates"
            case peerCertificate = "peer_certificate"
            case validationTime = "validation_time"
            case expectedPeerName = "expected_peer_name"
            case maximumChainDepth = "max_chain_depth"
            case revocationLists = "crls"
            case expectedResult = "expected_result"
        }
    }

    var testcases: [Case]
}

/// Runs the cases through the trust engine, one after the other.
struct LimboRunner {
    /// The time of cases that have none.
    var now: Timestamp
    /// The tier of each case, if known.
    var tiers: [String: String]

    func run(_ testcase: LimboSuite.Case) -> LimboOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        let (finding, isFavourable) = verify(testcase)
        let took = start.duration(to: clock.now)
        let milliseconds = Double(took.components.seconds) * 1e3 + Double(took.components.attoseconds) / 1e15
        return LimboOutcome(
            id: testcase.id, tier: tiers[testcase.id] ?? "untiered", expected: testcase.expectedResult,
            accepted: isFavourable, agrees: isFavourable == (testcase.expectedResult == "SUCCESS"),
            finding: finding.code.rawValue, reason: finding.reason, milliseconds: milliseconds)
    }

    private func verify(_ testcase: LimboSuite.Case) -> (TrustFinding, Bool) {
        do {
            // An anchor that cannot be parsed is ignored, as in a root store.
            let anchors = testcase.trustedCertificates.compactMap { try? CertificateView(der: der($0)) }
            let lists = try (testcase.revocationLists ?? []).map { try RevocationList(der: der($0)) }
            let chain = PresentedChain(
                der: ([testcase.peerCertificate] + testcase.untrustedIntermediates).map(der))
            let host = try testcase.expectedPeerName.map { try CanonicalHost($0.value) }
            let time = testcase.validationTime.flatMap { Timestamp(iso8601: $0) } ?? now
            let result = TrustEngine(anchors: .only(anchors), revocationLists: lists).verify(
                chain, host: host, maximumIntermediates: testcase.maximumChainDepth, at: time)
            return (result.finding, result.finding.isFavourable)
        } catch {
            return (TrustFinding(.malformedCertificate, "\(error)"), false)
        }
    }

    /// Returns the DER bytes of a PEM block; empty if it is invalid.
    private func der(_ pem: String) -> [UInt8] {
        (try? PEMReader.blocks(in: Array(pem.utf8)))?.first?.der ?? []
    }
}

/// The result of one case.
struct LimboOutcome: Encodable {
    var id: String
    var tier: String
    var expected: String
    var accepted: Bool
    var agrees: Bool
    var finding: String
    var reason: String
    var milliseconds: Double
}
