import BenchSupport

extension Report {
    /// The figures as Markdown tables.
    var markdown: String {
        var text = """
            \(parameters["rounds"] ?? "") rounds, \(machine.processors) processors, \
            load \(machine.load.joined(separator: " → ")), disk: \(machine.disk). \
            Medians over the rounds, with the minimum and maximum in parentheses.


            """
        for chapter in chapters { text += table(chapter) }
        return text
    }

    private func table(_ chapter: Chapter) -> String {
        var text = "### \(chapter.subject.title)\n\n" + chapter.figures.markdownTable
        if !chapter.notes.isEmpty { text += "\n" }
        for note in chapter.notes { text += "- \(note)\n" }
        return text + "\n"
    }
}

extension [Figure] {
    /// A table with each figure next to its goal.
    var markdownTable: String {
        var text = "| | figure | goal | |\n|---|---|---|---|\n"
        for figure in self {
            let digits = digits(figure.median)
            var cell = "\(number(figure.median, digits)) \(figure.unit)"
            if let least = figure.rounds.min(), let most = figure.rounds.max(), figure.rounds.count > 1 {
                cell += " (\(number(least, digits))–\(number(most, digits)))"
            }
            let goal = figure.goal.map { "\(number($0, self.digits($0))) \(figure.unit)" } ?? ""
            let verdict = figure.isMet.map { $0 ? "met" : "**missed**" } ?? ""
            text += "| \(figure.name) | \(cell) | \(goal) | \(verdict) |\n"
        }
        return text
    }

    private func digits(_ value: Double) -> Int {
        switch abs(value) {
        case ..<10: value == value.rounded() ? 0 : 2
        case ..<100: value == value.rounded() ? 0 : 1
        default: 0
        }
    }

    private func number(_ value: Double, _ digits: Int) -> String { Number.text(value, digits) }
}
