import HoldfastTestSupport
import HoldfastTrust
import Testing

/// Every kind of chain that is made to keep a verifier busy ends as it should. What it costs is measured elsewhere
/// (`holdfast-conformance cost`, `Benchmarks/TrustCost`): a test that looks at a clock fails on a busy machine.
@Suite("Expensive chains")
struct ExpensiveChainTests {
    @Test("the budgets hold, and what is within them is judged")
    func outcomes() throws {
        let factory = CertificateFactory()
        let subject = TrustSubject(host: try CanonicalHost(ExpensiveChain.host))
        let chains = try ExpensiveChain.all(factory)
        for chain in chains {
            let engine = TrustEngine(anchors: .only([chain.root]))
            let verdict = engine.evaluate(PresentedChain(der: chain.presented), for: subject, at: factory.now)
            #expect(verdict.finding.code == chain.expected, "\(chain.name): \(verdict)")
            #expect(verdict.permitsConnection == (chain.expected == .validPath), "\(chain.name)")
        }
        #expect(Set(chains.map(\.expected)).count > 5)
    }
}
