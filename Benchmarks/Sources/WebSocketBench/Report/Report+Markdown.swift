import BenchSupport

extension Report {
    /// The figures as Markdown tables.
    var markdown: String {
        var text = "\(rounds) rounds, \(Number.text(secondsPerSlice, 2)) s each, \(processors) processors.\n"
        for role in Scenario.Role.allCases {
            text += table(role, .flood)
            text += table(role, .pingPong)
        }
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
        var text = """

            The \(role.rawValue), \(load.rawValue). \(figures) Medians over the rounds. The ratios are Holdfast's \
            messages per second divided by the other's in the same round. In parentheses: the other's processor \
            time divided by Holdfast's. Above 1, Holdfast is faster.

            | scenario | \(Contestant.allCases.map(\.rawValue).joined(separator: " | ")) \
            | to nio | to nio-async | on-loop to nio | to python |
            |---|\(String(repeating: "---|", count: Contestant.allCases.count + 4))

            """
        for comparison in comparisons {
            let cells = Contestant.allCases.map { contestant in
                comparison.entries.first { $0.contestant == contestant }.map { cell($0) } ?? ""
            }
            let pairs: [(Contestant, Contestant)] = [
                (.holdfast, .nio), (.holdfast, .nioAsync), (.holdfastOnLoop, .nio), (.holdfast, .python),
            ]
            let ratios = pairs.map { first, second in
                guard let rate = comparison.ratio(\.messagesPerSecond, first, to: second),
                    let cpu = comparison.ratio(\.cpuPerMessage, second, to: first)
                else { return "" }
                return "\(Number.text(rate, 2)) (\(Number.text(cpu, 2)))"
            }
            text += "| \(comparison.name) | \((cells + ratios).joined(separator: " | ")) |\n"
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
        var text = """

            Memory of one idle connection in KiB, resident set · heap in use. A process with only the measured end \
            opens many connections and exchanges one message on each. The figure is the growth of its memory after \
            the first fifty connections, divided by the number of connections.

            | | connections | \(IdleContestant.allCases.map(\.rawValue).joined(separator: " | ")) \
            | holdfast less channel |
            |---|---|\(String(repeating: "---|", count: IdleContestant.allCases.count + 1))

            """
        for role in Scenario.Role.allCases {
            for isSecure in [false, true] {
                let row = idle.filter { $0.role == role && $0.isSecure == isSecure }
                guard let connections = row.map(\.connections).max() else { continue }
                let cells = IdleContestant.allCases.map { contestant in
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
