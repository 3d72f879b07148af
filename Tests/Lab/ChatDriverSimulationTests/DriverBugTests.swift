import ChatDriverSimulation
import ChatSimulation
import Foundation
import HoldfastTestSupport
import Testing

/// Tests the simulation: every planted bug of the driver is found by one of its rules, in a seed that breaks no rule
/// without the bug.
@Suite struct DriverBugTests {
    static let mostSeeds: UInt64 = 300

    @Test(arguments: DriverBug.allCases)
    func isFound(_ bug: DriverBug) async {
        for seed in 0..<Self.mostSeeds {
            await Task.yield()
            if DriverSimulation.finds(bug, seed) { return }
        }
        Issue.record("\(bug.summary): not found in \(Self.mostSeeds) seeds")
    }

    @Test func everyBugHasARowInTheDocument() throws {
        let url = Repository.root.appendingPathComponent("docs/internals/simulation.md")
        let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: "| bug of the driver's world | seed | its rules |"))
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        #expect(rows.count == DriverBug.allCases.count)
        for bug in DriverBug.allCases {
            let rules = bug.rules.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            let head = "| `\(bug.rawValue)`: \(bug.summary) |"
            #expect(rows.contains { $0.hasPrefix(head) && $0.hasSuffix("| \(rules) |") }, "\(bug.rawValue)")
        }
    }
}
