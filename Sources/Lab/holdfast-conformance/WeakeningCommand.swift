import ArgumentParser
import HoldfastTestSupport
import HoldfastTrust

/// `holdfast-conformance weakening`.
struct WeakeningCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weakening",
        abstract: "Compares which policies may replace which others with an independent model.",
        discussion: """
            Generates pairs of policies. For each pair, HoldfastTrust and the model say which permissions a signed bundle needs \
            to replace the first policy by the second one. Exit code 1 if they disagree on a pair; the first \
            disagreements are printed. The same seed makes the same pairs.
            """)

    @Option(help: "How many pairs to judge.") var pairs = 100_000
    @Option(help: "The seed.") var seed: UInt64 = 1

    func validate() throws {
        guard (1...100_000_000).contains(pairs) else { throw ValidationError("--pairs is from 1 to 100000000.") }
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
