extension DemoReport {
    /// The table at the end, and a sentence that says what it comes to.
    var table: String {
        let header = ["", "step", "mode", "must be", "was", "ms"]
        let rows = results.map { result in
            [
                "\(result.number)", result.name, result.mode.rawValue, result.expectation.description,
                result.isAsItMustBe ? "so" : "\(result.observation.outcome)  <-- WRONG", "\(result.milliseconds)",
            ]
        }
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            cells.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                // Numbers stand to the right.
                return column == 0 || column == cells.count - 1 ? padding + cell : cell + padding
            }.joined(separator: "  ")
        }
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
        return ([line(header), rule] + rows.map(line) + ["", summary]).joined(separator: "\n")
    }

    /// What the results come to, in one sentence.
    var summary: String {
        let wrong = results.filter { !$0.isAsItMustBe }.count
        return wrong == 0
            ? "All \(results.count) steps came out as they must."
            : "\(wrong) of \(results.count) steps did not come out as they must."
    }
}
