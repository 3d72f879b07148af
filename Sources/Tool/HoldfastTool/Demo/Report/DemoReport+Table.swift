extension DemoReport {
    /// The table at the end, and a sentence that says what it comes to.
    ///
    /// - Parameter columns: The width of the terminal; `nil` where it goes to a file or a program.
    func table(columns: Int? = nil) -> String {
        var table = TextTable(
            [.number(""), .text("step"), .text("mode"), .text("must be"), .text("was"), .number("ms")], hasRule: true)
        for result in results {
            table.add([
                "\(result.number)", result.name, result.mode.rawValue, result.expectation.description,
                result.isAsItMustBe ? "so" : "\(result.observation.outcome)  <-- WRONG", "\(result.milliseconds)",
            ])
        }
        return (table.lines(width: columns) + ["", summary]).joined(separator: "\n")
    }

    /// What the results come to, in one sentence.
    var summary: String {
        let wrong = results.filter { !$0.isAsItMustBe }.count
        return wrong == 0
            ? "All \(results.count) steps came out as they must."
            : "\(wrong) of \(results.count) steps did not come out as they must."
    }
}
