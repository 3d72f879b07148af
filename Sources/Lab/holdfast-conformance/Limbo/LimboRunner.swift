import HoldfastTrust

/// Runs cases through the trust engine, one after the other.
struct LimboRunner {
    /// The time for cases that do not name one.
    var now: Timestamp
    /// The tier of each case, where one is known.
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
            // An anchor that cannot be read is left out, as a root store leaves it out.
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

    /// The bytes of a PEM block; none if it is damaged.
    private func der(_ pem: String) -> [UInt8] {
        (try? PEMReader.blocks(in: Array(pem.utf8)))?.first?.der ?? []
    }
}
