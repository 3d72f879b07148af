import HoldfastBase
import HoldfastSystem

/// The results of a demo, from which the table, the JSON and the exit code derive.
struct DemoReport: Hashable, Sendable {
    /// The chat server's address.
    var address: String
    /// The steps, in order.
    var results: [DemoResult]

    /// Whether there are results, and all steps have the expected outcome.
    var isAsItMustBe: Bool { !results.isEmpty && results.allSatisfy(\.isAsItMustBe) }

    /// The resulting exit code.
    var status: ToolStatus { isAsItMustBe ? .success : .failure }
}

/// One step and its outcome.
struct DemoResult: Hashable, Sendable {
    /// The step's number, counted from 1.
    var number: Int
    /// The part of the demo that it belongs to.
    var chapter: DemoChapter
    /// The step in words.
    var name: String
    /// The checks that applied.
    var mode: DemoMode
    /// The expected outcome.
    var expectation: DemoObservation.Outcome
    /// The actual outcome.
    var observation: DemoObservation
    /// How long the step took.
    var duration: Duration

    /// Whether the outcome is as expected.
    var isAsItMustBe: Bool { observation.outcome == expectation }

    /// The duration in whole milliseconds.
    var milliseconds: Int64 { duration.wholeMilliseconds }
}

extension DemoReport {
    /// Returns the final table and a summary.
    ///
    /// - Parameters:
    ///   - columns: The width of the terminal; `nil` for a file or a program.
    ///   - style: The style of the results.
    func table(columns: Int? = nil, style: TerminalStyle = .plain) -> String {
        var table = TextTable(
            [.number(""), .text("step"), .text("mode"), .text("expected"), .text("actual"), .number("ms")],
            hasRule: true)
        for result in results {
            table.add(
                [
                    "\(result.number)", result.name, result.mode.rawValue, result.expectation.description,
                    result.isAsItMustBe ? "as expected" : "\(result.observation.outcome)  <-- WRONG",
                    "\(result.milliseconds)",
                ], meanings: [4: result.isAsItMustBe ? .success : .error])
        }
        return (table.lines(width: columns, style: style) + ["", summary]).joined(separator: "\n")
    }

    /// Summarizes the results in one sentence.
    var summary: String {
        let wrong = results.filter { !$0.isAsItMustBe }.count
        return wrong == 0
            ? "All \(results.count) steps have the expected result."
            : "\(wrong) of \(results.count) steps do not have the expected result."
    }
}

extension DemoReport: Encodable {
    private enum Keys: String, CodingKey {
        case passed, address, steps
    }

    /// One JSON object on several lines, with sorted keys.
    var json: String { get throws { try PrettyJSON.text(of: self) } }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(isAsItMustBe, forKey: .passed)
        try fields.encode(address, forKey: .address)
        try fields.encode(results, forKey: .steps)
    }
}

extension DemoResult: Encodable {
    private enum Keys: String, CodingKey {
        case number, chapter, name, mode, expected, observed, detail, lines, ok, milliseconds
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(number, forKey: .number)
        try fields.encode(chapter, forKey: .chapter)
        try fields.encode(name, forKey: .name)
        try fields.encode(mode, forKey: .mode)
        try fields.encode(expectation.description, forKey: .expected)
        try fields.encode(observation.outcome.description, forKey: .observed)
        try fields.encode(observation.detail, forKey: .detail)
        try fields.encode(observation.lines, forKey: .lines)
        try fields.encode(isAsItMustBe, forKey: .ok)
        try fields.encode(milliseconds, forKey: .milliseconds)
    }
}
