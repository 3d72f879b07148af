import ArgumentParser
import HoldfastTestSupport
import HoldfastTrust

/// `holdfast-conformance cost`.
struct CostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost", abstract: "Measures the cost of chains that are expensive to verify.",
        discussion: """
            Measures parsing and verifying each chain together, and takes the best of several runs. Exit code 1 if a
            finding is not the expected one, or a chain takes longer than the limit.
            """)

    @Option(help: "The maximum time for a chain, in milliseconds.") var limit = 100.0
    @Option(help: "The number of runs for each chain.") var runs = 5

    func validate() throws {
        guard (1...1_000).contains(runs) else { throw ValidationError("--runs must be from 1 to 1000.") }
    }

    func run() throws {
        let factory = CertificateFactory()
        let subject = TrustSubject(host: try CanonicalHost(ExpensiveChain.host))
        var isFine = true
        for chain in try ExpensiveChain.all(factory) {
            let engine = TrustEngine(anchors: .only([chain.root]))
            var best = Double.infinity
            var finding = TrustFinding.Code.validPath
            for _ in 0..<runs {
                let clock = ContinuousClock()
                let start = clock.now
                finding =
                    engine.evaluate(PresentedChain(der: chain.presented), for: subject, at: factory.now).finding.code
                let took = start.duration(to: clock.now).components
                best = min(best, Double(took.seconds) * 1e3 + Double(took.attoseconds) / 1e15)
            }
            let isExpected = finding == chain.expected
            isFine = isFine && isExpected && best <= limit
            let tenths = (best * 10).rounded() / 10
            print(
                "\(isExpected && best <= limit ? "  " : "≠ ")\(tenths) ms  \(finding.rawValue)  \(chain.name)"
                    + (isExpected ? "" : ", expected \(chain.expected.rawValue)"))
        }
        guard isFine else { throw ExitCode(1) }
    }
}
