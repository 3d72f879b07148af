import ArgumentParser
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `holdfast-conformance limbo FILE`.
struct LimboCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limbo", abstract: "Runs the cases of x509-limbo through the verifier.",
        discussion: """
            Exit code 1 if a case of the tier "unanimous" disagrees. Without --tiers, all cases count.
            """)

    @Argument(help: "The suite's JSON file.") var file: String
    @Option(help: "A JSON file with an object of tiers. Each tier is a list of case ids.") var tiers: String?
    @Flag(help: "Print a JSON object for each case instead of the table.") var json = false
    @Flag(help: "Also print the cases that agree.") var all = false

    func run() throws {
        let suite = try JSONDecoder().decode(LimboSuite.self, from: read(file))
        var tierOf: [String: String] = [:]
        if let tiers {
            for (tier, ids) in try JSONDecoder().decode([String: [String]].self, from: read(tiers)) {
                for id in ids { tierOf[id] = tier }
            }
        }
        let runner = LimboRunner(now: TrustClock.system.now(), tiers: tierOf)
        let outcomes = suite.testcases.filter { $0.validationKind != "CLIENT" }.map(runner.run)
        try json ? printJSON(outcomes) : printTable(outcomes)
        let gate = outcomes.filter { tiers == nil || $0.tier == "unanimous" }
        if gate.contains(where: { !$0.agrees }) { throw ExitCode(1) }
    }

    private func read(_ path: String) throws -> Data {
        do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw ValidationError("\(path) cannot be read.")
        }
    }

    private func printJSON(_ outcomes: [LimboOutcome]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for outcome in outcomes { print(String(decoding: try encoder.encode(outcome), as: UTF8.self)) }
    }

    private func printTable(_ outcomes: [LimboOutcome]) {
        for outcome in outcomes where all || !outcome.agrees {
            let verb = outcome.accepted ? "accepted" : "refused"
            print(
                "\(outcome.agrees ? "  " : "≠ ")\(outcome.tier)  \(outcome.id)  \(verb), "
                    + "suite \(outcome.expected)  \(outcome.finding)")
        }
        for (tier, cases) in Dictionary(grouping: outcomes, by: \.tier).sorted(by: { $0.key < $1.key }) {
            let falseAccepts = cases.count { $0.accepted && !$0.agrees }
            print(
                "\(tier): \(cases.count { $0.agrees }) of \(cases.count) agree, "
                    + "\(falseAccepts) accepted against the suite")
        }
        if let slowest = outcomes.max(by: { $0.milliseconds < $1.milliseconds }) {
            let tenths = (slowest.milliseconds * 10).rounded() / 10
            print("slowest: \(slowest.id), \(tenths) ms")
        }
    }
}
