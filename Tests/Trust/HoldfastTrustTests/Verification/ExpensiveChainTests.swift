import HoldfastTestSupport
import HoldfastTrust
import Testing

/// Tests the result of every kind of expensive chain. `holdfast-conformance cost` and `Benchmarks/TrustCost` measure
/// the time, because a test that measures time fails on a busy machine.
@Suite("Expensive chains")
struct ExpensiveChainTests {
    @Test("the budgets limit the search, and chains within them are verified")
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
