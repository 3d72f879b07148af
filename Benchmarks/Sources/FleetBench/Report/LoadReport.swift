import BenchSupport
import Foundation

/// The figures of a run of ``LoadCommand``.
struct LoadReport: Codable, Sendable {
    var engine: Engine
    var processors = ProcessInfo.processInfo.activeProcessorCount
    var connections: Int
    var incidents: Int
    /// The requested reports per second; `nil` for as many as possible.
    var rate: Double?
    var seconds: Double
    /// The reports that were answered with 201 in this time.
    var accepted: Int
    /// The requests that were answered with 429 or 503.
    var refused: Int
    var perSecond: Double
    /// The accepted reports of the slowest whole second.
    var slowestSecond: Int
    /// From the time when a report was due to its answer, in milliseconds.
    var p50: Double
    var p99: Double
    var longest: Double
    /// The peaks of the memory, and the processor time of these seconds.
    var usage: StageUsage
    /// The size of a request's body in bytes.
    var reportBytes: Int
    /// The size of the database divided by the number of its reports.
    var storedBytes: Double
    /// The number of such machines that take the reports of ten million clients within ten minutes.
    var machines: Int

    /// Ten million clients that each report once within ten minutes.
    static let goal = 10_000_000.0 / 600

    var markdown: String {
        let cells = [
            engine.title, Number.text(Double(connections)), Number.text(perSecond), Number.text(Double(slowestSecond)),
            Number.text(p50, 1), Number.text(p99, 1), Number.text(usage.collector.memory / 1_024),
            engine == .sqlite ? "" : Number.text(usage.database.memory / 1_024), Number.text(Double(reportBytes)),
            Number.text(storedBytes), processor,
        ]
        return """
            | engine | connections | reports/s | slowest second | p50 ms | p99 ms | collector MiB | database MiB \
            | bytes of a report | stored | processor time, µs |
            |---|---|---|---|---|---|---|---|---|---|---|
            | \(cells.joined(separator: " | ")) |

            \(processors) processors, \(Number.text(seconds, 1)) s, \(Number.text(Double(refused))) refused. \
            10,000,000 reports in 600 s are \(Number.text(Self.goal)) a second: \(machines) of these machines.
            """
    }

    /// The processor time of a report: in the collector, the database and the load.
    private var processor: String {
        [usage.collector, usage.database, usage.load]
            .map { Number.text($0.processor / Double(max(1, accepted))) }.joined(separator: " · ")
    }
}
