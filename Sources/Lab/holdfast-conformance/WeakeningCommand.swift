import ArgumentParser
import HoldfastTestSupport
import HoldfastTrust

/// `holdfast-conformance weakening`.
struct WeakeningCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weakening",
        abstract: "Compares which policies may replace which others with an independent model.",
        discussion: """
            Generates pairs of policies. For each pair, it compares the permissions that HoldfastTrust and the model \
            require for a signed bundle that replaces the first policy by the second one. Exit code 1 if they disagree \
            for a pair; the first disagreements are printed. The same seed generates the same pairs.
            """)

    @Option(help: "The number of pairs.") var pairs = 100_000
    @Option(help: "The seed.") var seed: UInt64 = 1

    func validate() throws {
        guard (1...100_000_000).contains(pairs) else { throw ValidationError("--pairs must be from 1 to 100000000.") }
    }

    func run() throws {
        var generator = PolicyPairGenerator(seed: seed)
        var survey = WeakeningSurvey()
        for _ in 0..<pairs { survey.add(generator.next()) }
        print("seed                              \(seed)")
        print(survey.report)
        for disagreement in survey.disagreements { print("\n\(disagreement)") }
        guard survey.isClean else { throw ExitCode(1) }
    }
}
