import BenchSupport

extension Report {
    /// The figures as Markdown tables.
    var markdown: String {
        var text = "\(rounds) rounds, \(Number.text(secondsPerSlice, 2)) s each, \(processors) processors.\n"
        for role in Scenario.Role.allCases {
            text += table(role, .flood)
            text += table(role, .pingPong)
        }
        text += goalTable
        if !idle.isEmpty { text += idleTable }
        return text
    }

    private func table(_ role: Scenario.Role, _ load: Scenario.Load) -> String {
        let comparisons = comparisons.filter { $0.scenario.role == role && $0.scenario.load == load }
        guard !comparisons.isEmpty else { return "" }
        let figures =
            load == .flood
            ? "Messages per second · processor time of the \(role.rawValue) per message in µs."
            : "Round trips in µs, median · 99th percentile · "
                + "processor time of the \(role.rawValue) per message in µs."
        let contestants = contestants
        var text = """

            The \(role.rawValue), \(load.rawValue). \(figures) Medians over the rounds.

            | scenario | \(contestants.map(\.rawValue).joined(separator: " | ")) |
            |---|\(String(repeating: "---|", count: contestants.count))

            """
        for comparison in comparisons {
            let cells = contestants.map { contestant in
                comparison.entries.first { $0.contestant == contestant }.map { cell($0) } ?? ""
            }
            text += "| \(comparison.name) | \(cells.joined(separator: " | ")) |\n"
        }
        return text + ratioTable(comparisons)
    }

    /// The contestants with figures, which have a column.
    private var contestants: [Contestant] {
        Contestant.allCases.filter { contestant in
            comparisons.contains { $0.entries.contains { $0.contestant == contestant } }
        }
    }

    private func ratioTable(_ comparisons: [Comparison]) -> String {
        let pairs = pairs
        guard !pairs.isEmpty else { return "" }
        let titles = pairs.map { first, second in
            first == .holdfast ? "to \(second.rawValue)" : "on-loop to \(second.rawValue)"
        }
        var text = """

            Holdfast's messages per second divided by the other's in the same round. In parentheses: the other's \
            processor time divided by Holdfast's. Above 1, Holdfast is faster.

            | scenario | \(titles.joined(separator: " | ")) |
            |---|\(String(repeating: "---|", count: pairs.count))

            """
        for comparison in comparisons {
            let ratios = pairs.map { ratio(comparison, $0, $1) }
            text += "| \(comparison.name) | \(ratios.joined(separator: " | ")) |\n"
        }
        return text
    }

    /// The compared contestants with figures, which have a column in the table of ratios.
    private var pairs: [(Contestant, Contestant)] {
        let all: [(Contestant, Contestant)] = [
            (.holdfast, .nio), (.holdfastOnLoop, .nio), (.holdfast, .nioAsync), (.holdfast, .python),
            (.holdfast, .beast), (.holdfastOnLoop, .beast), (.holdfast, .libwebsockets),
            (.holdfastOnLoop, .libwebsockets),
        ]
        let contestants = contestants
        return all.filter { contestants.contains($0.0) && contestants.contains($0.1) }
    }

    private func ratio(_ comparison: Comparison, _ first: Contestant, _ second: Contestant) -> String {
        guard let rate = comparison.ratio(\.messagesPerSecond, first, to: second),
            let cpu = comparison.ratio(\.cpuPerMessage, second, to: first)
        else { return "" }
        return "\(Number.text(rate, 2)) (\(Number.text(cpu, 2)))"
    }

    /// The goal: as many messages per second of processor time as Beast, over TLS in flood.
    private var goalTable: String {
        let rows = comparisons.filter {
            $0.scenario.load == .flood && $0.scenario.isSecure && !$0.scenario.deflates
                && $0.ratio(\.cpuPerMessage, .beast, to: .holdfast) != nil
        }
        guard !rows.isEmpty else { return "" }
        var text = """

            The goal, over TLS in flood: the processor time of beast divided by Holdfast's, for each message. At least \
            1 is required.

            | scenario | holdfast | holdfast-on-loop |
            |---|---|---|

            """
        for row in rows {
            let cells = [Contestant.holdfast, .holdfastOnLoop].map { contestant in
                row.ratio(\.cpuPerMessage, .beast, to: contestant).map { Number.text($0, 2) } ?? ""
            }
            text += "| \(row.name) | \(cells.joined(separator: " | ")) |\n"
        }
        return text
    }

    private func cell(_ entry: Comparison.Entry) -> String {
        let cpu = Number.text(entry.cpuPerMessage, entry.cpuPerMessage < 10 ? 2 : 1)
        guard let p50 = entry.p50, let p99 = entry.p99 else {
            return "\(Number.text(entry.messagesPerSecond)) · \(cpu)"
        }
        return "\(Number.text(p50)) · \(Number.text(p99)) · \(cpu)"
    }

    private var idleTable: String {
        let contestants = IdleContestant.allCases.filter { contestant in
            idle.contains { $0.contestant == contestant }
        }
        var text = """

            Memory of one idle connection in KiB, resident set · heap in use. A process with only the measured end \
            opens many connections and exchanges one message on each. The figure is the growth of its memory after \
            the first fifty connections, divided by the number of connections.

            | | connections | \(contestants.map(\.rawValue).joined(separator: " | ")) | holdfast less channel |
            |---|---|\(String(repeating: "---|", count: contestants.count + 1))

            """
        for role in Scenario.Role.allCases {
            for isSecure in [false, true] {
                let row = idle.filter { $0.role == role && $0.isSecure == isSecure }
                guard let connections = row.map(\.connections).max() else { continue }
                let cells = contestants.map { contestant in
                    row.first { $0.contestant == contestant }.map { memoryText($0.resident, $0.heap) } ?? ""
                }
                text += "| \(role.rawValue), \(isSecure ? "TLS" : "plain") | \(Number.text(Double(connections))) "
                text += "| \(cells.joined(separator: " | ")) | \(own(row)) |\n"
            }
        }
        return text
    }

    private func own(_ row: [IdleFigure]) -> String {
        guard let holdfast = row.first(where: { $0.contestant == .holdfast }),
            let channel = row.first(where: { $0.contestant == .channel })
        else { return "" }
        return memoryText(holdfast.resident - channel.resident, holdfast.heap - channel.heap)
    }

    private func memoryText(_ resident: Double, _ heap: Double) -> String {
        heap == 0 ? Number.text(resident, 1) : "\(Number.text(resident, 1)) · \(Number.text(heap, 1))"
    }
}
