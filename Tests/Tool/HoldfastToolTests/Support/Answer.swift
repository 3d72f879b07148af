import Foundation
import Testing

@testable import HoldfastTool

/// One output line of `holdfast evaluate`.
struct Answer: Decodable {
    var id: String?
    var decision: String?
    var finding: String?
    var reason: String?
    var system: String?
    var path: [String]?
    var durationMicros: Int?
    var error: String?

    /// Returns the answers to cases, from a run of the tool.
    static func to(_ cases: TestCase...) async throws -> [Answer] {
        let outcome = await ToolOutcome.of(
            "evaluate", "--cases", "-", input: try cases.map { try $0.line + "\n" }.joined())
        #expect(outcome.status == .success)
        #expect(outcome.notes.isEmpty, "\(outcome.notes)")
        return try outcome.lines.map(Answer.read)
    }

    /// Returns the answer to one case.
    static func to(_ test: TestCase) async throws -> Answer {
        let answers: [Answer] = try await to(test)
        return try #require(answers.count == 1 ? answers.first : nil)
    }

    static func read(_ line: String) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    }

    /// The decision, the finding and the system's finding in one text, for comparison.
    var summary: String {
        "\(decision ?? "error") \(finding ?? error ?? "-") \(system ?? "-")"
    }
}
