import BenchSupport

extension Report {
    /// The figures as Markdown tables, one for each network.
    var markdown: String {
        var text = """
            \(parameters["rounds"] ?? "") rounds, \(parameters["uploads"] ?? "") uploads, \(processors) processors, \
            load \(load.joined(separator: " → ")). Medians over the rounds, with the minimum and maximum in \
            parentheses. 1 kB is 1,000 bytes.


            """
        for chapter in chapters { text += table(chapter) }
        return text
    }

    private func table(_ chapter: Chapter) -> String {
        let clients = Self.distinct(chapter.figures.map(\.client))
        var text = "### \(chapter.network)\n\n| | \(clients.joined(separator: " | ")) |\n"
        text += "|---|\(String(repeating: "---|", count: clients.count))\n"
        var rest = chapter.figures[...]
        // The figures of one measure follow one another. Names such as "bytes down" repeat.
        while let first = rest.first {
            let row = rest.prefix { $0.measure == first.measure }
            rest = rest.dropFirst(row.count)
            let cells = clients.map { client in row.first { $0.client == client }.map(cell) ?? "" }
            text += "| \(first.measure) | \(cells.joined(separator: " | ")) |\n"
        }
        return text + "\n"
    }

    private func cell(_ figure: Figure) -> String {
        let digits = digits(figure.median)
        let text = "\(Number.text(figure.median, digits)) \(figure.unit)"
        guard let least = figure.rounds.min(), let most = figure.rounds.max(), least < most else { return text }
        return text + " (\(Number.text(least, digits))–\(Number.text(most, digits)))"
    }

    private func digits(_ value: Double) -> Int {
        if value == value.rounded() { return 0 }
        return value < 10 ? 2 : value < 100 ? 1 : 0
    }

    private static func distinct(_ names: [String]) -> [String] {
        var known: [String] = []
        for name in names where !known.contains(name) { known.append(name) }
        return known
    }
}
