import BenchSupport

/// The figures of a run of ``DeskCommand``.
struct DeskReport: Codable, Sendable {
    /// The times of one kind of request in milliseconds.
    struct Row: Codable, Sendable {
        var name: String
        /// The first request after the start of the collector.
        var first: Double
        var p50: Double
        var p99: Double
        /// The size of the response in bytes.
        var bytes: Int
        /// The maximum of ``p99``.
        var goal: Double?
    }

    var engine: Engine
    var reports: Int
    var incidents: Int
    var days: Int
    /// The seconds that it took to fill the database.
    var filled: Double
    var databaseBytes: Int64
    var reportBytes: Int
    var rows: [Row] = []

    var markdown: String {
        let each = Double(databaseBytes) / Double(max(1, reports))
        var text = """
            \(engine.title): \(Number.text(Double(reports))) reports in \(Number.text(Double(incidents))) incidents over \
            \(days) days, \(Number.text(Double(databaseBytes) / 1e9, 1)) GB: \(Number.text(each)) bytes for each report \
            of \(Number.text(Double(reportBytes))) bytes. Filled in \(Number.text(filled)) s.

            | request | first, ms | p50 | p99 | goal | KiB |
            |---|---|---|---|---|---|

            """
        for row in rows {
            let goal = row.goal.map { "\(Number.text($0)): \(row.p99 <= $0 ? "met" : "**missed**")" } ?? ""
            let times = [row.first, row.p50, row.p99].map { Number.text($0, 1) }.joined(separator: " | ")
            text += "| \(row.name) | \(times) | \(goal) | \(Number.text(Double(row.bytes) / 1_024)) |\n"
        }
        return text
    }
}
