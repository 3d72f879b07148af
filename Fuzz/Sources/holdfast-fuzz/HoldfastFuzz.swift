import Foundation
import HoldfastFuzzing

/// `holdfast-fuzz [TARGET…] [--seconds N] [--seed N] [--corpus DIR]` or `holdfast-fuzz --make-corpus [--corpus DIR]`.
///
/// Runs each target with its corpus, then with mutations of it until the time is over. The current input is kept in
/// `Findings/TARGET-current`, so that an input that traps is not lost. An input that violates a property is saved
/// with a number.
@main
struct HoldfastFuzz {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(index...index + 1) }
            return arguments[index + 1]
        }
        let corpus = option("--corpus") ?? "Fuzz/Corpus"
        let seconds = option("--seconds").flatMap(Double.init) ?? 10
        let seed = option("--seed").flatMap { UInt64($0) } ?? 1
        if arguments.contains("--make-corpus") {
            try CorpusMaker.write(to: corpus)
            return
        }
        let targets = arguments.compactMap(FuzzTarget.init)
        guard targets.count == arguments.count else {
            print("The targets are \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
            exit(2)
        }
        var hasFindings = false
        for target in targets.isEmpty ? FuzzTarget.allCases : targets {
            var run = FuzzRun(target: target, samples: try FuzzCorpus.samples(of: target, in: corpus).map(\.bytes))
            try run.run(seconds: seconds, seed: seed)
            print(run.summary)
            hasFindings = hasFindings || run.findings > 0
        }
        if hasFindings { exit(1) }
    }
}
