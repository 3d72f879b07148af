import HoldfastTestSupport
import ChatSimulation
import Foundation
import Testing

/// Compares the tables of docs/internals/simulation.md with the rules and the planted bugs.
@Suite struct DocumentedSimulationTests {
    private static func lines(_ file: String) throws -> [String] {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(file), encoding: .utf8)
        return text.components(separatedBy: "\n")
    }

    /// Returns the rows of the table with this header, split into cells.
    private static func table(_ head: String) throws -> [[String]] {
        let lines = try lines("docs/internals/simulation.md")
        let start = try #require(lines.firstIndex(of: head))
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func everyRuleHasARow() throws {
        let named = try Self.table("| rule | what must hold |").map { $0[0] }
        #expect(named.sorted() == Rule.allCases.map { "`\($0.rawValue)`" }.sorted())
    }

    @Test func everyPlantedBugHasARow() throws {
        let rows = try Self.table("| bug | seed | its rules |")
        let named = rows.map { $0[0].prefix { $0 != ":" } }.sorted()
        #expect(named == PlantedBug.allCases.map { "`\($0.rawValue)`" }.sorted().map { $0[...] })
        for row in rows {
            let bug = PlantedBug.allCases.first { row[0].hasPrefix("`\($0.rawValue)`:") }
            #expect(UInt64(row[1]) != nil, "\(row)")
            #expect(row[2] == bug?.rules.map { "`\($0.rawValue)`" }.joined(separator: ", "), "\(row)")
        }
    }

    @Test func theNumberOfRulesIsThatOfTheCode() throws {
        let words = [19: "nineteen", 20: "twenty", 21: "twenty-one", 22: "twenty-two"]
        let word = try #require(words[Rule.allCases.count])
        #expect(try Self.lines("CHANGELOG.md").contains { $0.contains(" \(word) rules,") })
    }
}
