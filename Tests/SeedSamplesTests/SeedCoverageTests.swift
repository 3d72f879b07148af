import HoldfastTestSupport
import Foundation
import Testing

/// Checks `docs/internals/seed-coverage.md`: it lists every rule of the five pages, and every test that it names
/// exists.
@Suite struct SeedCoverageTests {
    /// How many rules each page has.
    private static let rules = [0: 41, 1: 9, 2: 17, 3: 25, 4: 13]
    private static let root = Repository.root

    @Test func everyRuleIsListedOnce() throws {
        var seen: [String: Int] = [:]
        for row in try Self.rows() {
            for rule in Self.ruleNumbers(row.first) { seen[rule, default: 0] += 1 }
        }
        for (page, count) in Self.rules {
            for number in 1...count where seen["\(page).\(number)"] != 1 {
                Issue.record("The rule \(page).\(number) is listed \(seen["\(page).\(number)"] ?? 0) times")
            }
        }
        #expect(seen.count == Self.rules.values.reduce(0, +))
    }

    @Test func everyNamedTestExists() throws {
        let names = try Names(testsAt: Self.root.appendingPathComponent("Tests"))
        var referred = 0
        for row in try Self.rows() {
            let proof = row.dropFirst().joined(separator: " ")
            #expect(!proof.trimmingCharacters(in: .whitespaces).isEmpty, "The rule \(row.first) has no proof")
            for code in Self.codes(proof) {
                let parts = code.split(separator: ".").map(String.init)
                guard let first = parts.first, first.hasSuffix("Tests") else { continue }
                referred += 1
                #expect(names.functions[first] != nil, "The suite \(first) does not exist")
                guard parts.count == 2 else { continue }
                #expect(names.functions[first]?.contains(parts[1]) == true, "The test \(code) does not exist")
            }
        }
        #expect(referred > 80)
    }

    @Test func ruleNumbersAreParsed() {
        #expect(Self.ruleNumbers("0.1, 0.15 defaults of 1.2") == ["0.1", "0.15"])
        #expect(Self.ruleNumbers("0.24 to 0.26 forms") == ["0.24", "0.25", "0.26"])
        #expect(Self.ruleNumbers("rule") == [])
    }

    // MARK: Reading

    private struct Row {
        var cells: [String]
        var first: String { cells.first ?? "" }
        func dropFirst() -> ArraySlice<String> { cells.dropFirst() }
    }

    /// Returns the rows of the tables whose first cell begins with the number of a rule.
    private static func rows() throws -> [Row] {
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/internals/seed-coverage.md"), encoding: .utf8)
        return page.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| ") else { return nil }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.first.map(ruleNumbers)?.isEmpty == false ? Row(cells: cells) : nil
        }
    }

    /// Returns the rule numbers at the beginning of a cell, with ranges expanded.
    private static func ruleNumbers(_ cell: String) -> [String] {
        var found: [String] = []
        var pending: (Int, Int)?
        for word in cell.split(separator: " ") {
            if word == "to" {
                pending = found.last.flatMap(parts)
                continue
            }
            guard let (page, number) = parts(String(word.hasSuffix(",") ? word.dropLast() : word)) else { break }
            let start = pending.flatMap { $0.0 == page ? $0.1 + 1 : nil } ?? number
            pending = nil
            guard start <= number else { break }
            found += (start...number).map { "\(page).\($0)" }
            // A number that neither a comma nor "to" follows ends the list.
            if !word.hasSuffix(","), !cell.contains("\(word) to ") { break }
        }
        return found
    }

    private static func parts(_ text: String) -> (Int, Int)? {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let page = numbers[0], let number = numbers[1] else { return nil }
        return (page, number)
    }

    private static func codes(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The functions of each suite, found by reading the files line by line.
    private struct Names {
        var functions: [String: Set<String>] = [:]

        init(testsAt folder: URL) throws {
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                var suite: String?
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
                    if let index = words.firstIndex(where: { ["struct", "class", "enum", "extension"].contains($0) }),
                        index + 1 < words.count, words[index + 1].hasSuffix("Tests")
                    {
                        suite = String(words[index + 1])
                        functions[suite ?? "", default: []].formUnion([])
                    }
                    if let suite, let index = words.firstIndex(of: "func"), index + 1 < words.count {
                        functions[suite, default: []].insert(String(words[index + 1]))
                    }
                }
            }
        }
    }
}
