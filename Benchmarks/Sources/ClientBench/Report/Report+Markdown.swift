import BenchSupport

extension Report {
    /// The figures as Markdown tables.
    var markdown: String {
        var text = "\(rounds) rounds, \(number(secondsPerSlice, 2)) s each, \(processors) processors.\n"
        text += comparisonTable
        if !idle.isEmpty { text += idleTable }
        if !peers.isEmpty { text += externalClientTable }
        return text
    }

    private var comparisonTable: String {
        guard !comparisons.isEmpty else { return "" }
        var text = """

            Requests per second · processor time per request in µs, client and server together · \
            processor time of the client. Medians over the rounds. The ratios are Holdfast's requests per second \
            divided by the other client's in the same round. In parentheses: the other client's processor time \
            divided by Holdfast's. Above 1, Holdfast is faster.

            | scenario | \(ContestantKind.allCases.map(\.rawValue).joined(separator: " | ")) \
            | to the ceiling | to async-http-client | to URLSession |
            |---|\(String(repeating: "---|", count: ContestantKind.allCases.count + 3))

            """
        for comparison in comparisons {
            let figures = ContestantKind.allCases.map { kind in
                guard let entry = comparison.entries.first(where: { $0.contestant == kind }) else { return "" }
                return "\(number(entry.requestsPerSecond)) · \(number(entry.cpuPerRequest)) · "
                    + number(entry.clientCPUPerRequest)
            }
            let ratios = [ContestantKind.ceiling, .asyncHTTPClient, .urlSession].map { other in
                guard let rate = comparison.ratio(\.requestsPerSecond, .holdfast, to: other),
                    let cpu = comparison.ratio(\.cpuPerRequest, other, to: .holdfast)
                else { return "" }
                return "\(number(rate, 2)) (\(number(cpu, 2)))"
            }
            text += "| \(comparison.name) | \((figures + ratios).joined(separator: " | ")) |\n"
        }
        return text
    }

    private var idleTable: String {
        var text = """

            Memory of one idle connection in KiB. A process with only the client opens many connections. The figure \
            is the growth of its resident set after the first connection, divided by the number of connections.

            | | \(ContestantKind.allCases.map(\.rawValue).joined(separator: " | ")) |
            |---|\(String(repeating: "---|", count: ContestantKind.allCases.count))

            """
        for isSecure in [false, true] {
            let figures = ContestantKind.allCases.map { kind in
                idle.first { $0.contestant == kind && $0.isSecure == isSecure }.map { number($0.kibibytes, 1) } ?? ""
            }
            text += "| \(isSecure ? "TLS" : "plain") | \(figures.joined(separator: " | ")) |\n"
        }
        return text
    }

    private var externalClientTable: String {
        var columns: [(version: Scenario.Version, concurrency: Int)] = []
        for version in Scenario.Version.allCases {
            for concurrency in Set(peers.map(\.concurrency)).sorted() { columns.append((version, concurrency)) }
        }
        var text = """

            Clients in separate processes, TLS, 200 bytes: requests per second · the client's processor time per \
            request in µs, including its start. In parentheses: the client's processor time divided by Holdfast's. \
            Above 1, Holdfast needs less.

            | client | \(columns.map { "\($0.version.rawValue), c = \($0.concurrency)" }.joined(separator: " | ")) |
            |---|\(String(repeating: "---|", count: columns.count))

            """
        var names: [String] = []
        for peer in peers where !names.contains(peer.client) { names.append(peer.client) }
        for name in names {
            let cells = columns.map { version, concurrency in
                let row = peers.filter { $0.version == version && $0.concurrency == concurrency }
                guard let peer = row.first(where: { $0.client == name }), let holdfast = row.first else { return "" }
                return "\(number(peer.requestsPerSecond)) · \(number(peer.cpuPerRequest)) "
                    + "(\(number(peer.cpuPerRequest / holdfast.cpuPerRequest, 2)))"
            }
            text += "| \(name) | \(cells.joined(separator: " | ")) |\n"
        }
        return text
    }

    private func number(_ value: Double, _ digits: Int = 0) -> String { Number.text(value, digits) }
}
