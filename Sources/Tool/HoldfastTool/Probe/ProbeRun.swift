import HoldfastBase
import HoldfastLint
import HoldfastTrust

/// One run of `holdfast probe`: probes the servers and prints the reports.
struct ProbeRun: Sendable {
    /// The maximum number of concurrent probes.
    static let width = 8

    var prober: Prober
    var targets: [ProbeTarget]
    var format: ProbeFormat = .text
    /// The style of text.
    var style = TerminalStyle.plain
    /// The additional file for metrics.
    var metricsFile: MetricsFile?
    var console: Console

    /// Probes each server once and prints the reports.
    func once() async throws -> ToolStatus {
        let reports = await probeAll()
        try Task.checkCancellation()
        let status = ProbeReport.status(of: reports)
        let metrics = ProbeMetrics(reports).text
        // A failure of one output does not prevent the other.
        let printed = Result {
            switch format {
            case .text: try console.print(text(reports))
            case .json: try console.print(ProbeReport.json(reports))
            case .prometheus: try console.output(Array(metrics.utf8))
            case .sarif, .github: try annotate(reports)
            }
        }
        do {
            try metricsFile?.replace(with: metrics)
        } catch {
            console.note("holdfast: \(ToolError(describing: error).sentence)")
            try printed.get()
            return status == .failure ? status : .unusableInput
        }
        try printed.get()
        return status
    }

    /// Probes each server repeatedly and prints the events. Returns the last round's exit code, or success after an
    /// interruption.
    func watch(_ watcher: ProbeWatcher) async throws -> ToolStatus {
        try await watcher.run { state, number in
            let reports = await probeAll()
            // An interrupted round says nothing about a server.
            guard !Task.isCancelled else { return .success }
            var events: [ProbeEvent] = []
            for report in reports { events += state.observe(report) }
            try write(reports, events, state, isFirst: number == 1)
            return ProbeReport.status(of: reports)
        }
    }

    private func write(_ reports: [ProbeReport], _ events: [ProbeEvent], _ state: ProbeWatch, isFirst: Bool) throws {
        let metrics = ProbeMetrics(reports, changes: state.tallies)
        do {
            try metricsFile?.replace(with: metrics.text)
        } catch {
            // The watch continues, because the disk may have space again later.
            console.note("holdfast: \(ToolError(describing: error).sentence)")
        }
        switch format {
        case .text where isFirst: try console.print(text(reports) + "\n")
        case .text: try console.print((events.map(\.line) + reports.map { $0.line(style) }).joined(separator: "\n"))
        case .json: try console.print(TerminalSafety.json(JSONWriter.line(ProbeReport.value(reports, events: events))))
        case .prometheus: try console.output(Array(metrics.text.utf8))
        case .sarif, .github: try annotate(reports)
        }
    }

    /// Prints the findings for other programs. With GitHub's annotations, the results go to standard error.
    private func annotate(_ reports: [ProbeReport]) throws {
        let annotations = reports.flatMap(\.annotations)
        if format == .sarif { return try console.print(SARIFLog(annotations, command: "probe").text) }
        for line in WorkflowCommand.lines(annotations) { try console.print(line) }
        for report in reports { console.note(report.line()) }
    }

    private func text(_ reports: [ProbeReport]) -> String {
        let columns = console.columns()
        return reports.map { $0.text(columns: columns, style: style) }.joined(separator: "\n\n")
    }

    /// Returns the reports, in the order of the servers.
    private func probeAll() async -> [ProbeReport] {
        await withTaskGroup(of: (Int, ProbeReport).self) { group in
            var reports: [Int: ProbeReport] = [:]
            for (index, target) in targets.enumerated() {
                if index >= Self.width, let (done, report) = await group.next() { reports[done] = report }
                guard group.addTaskUnlessCancelled(operation: { (index, await prober.probe(target)) }) else { break }
            }
            for await (done, report) in group { reports[done] = report }
            return targets.indices.compactMap { reports[$0] }
        }
    }
}
