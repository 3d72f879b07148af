import Foundation
import HoldfastTestSupport
import PinReports

/// Fills the database with copies of reports that a collector has stored, one for each incident, directly in its
/// tables. Rows, counts by hour, and totals are consistent. Counts by version and the number of clients are not: each
/// incident gets as many values as a large one has.
struct DeskFilling {
    /// The number of all reports.
    let reports: Int
    /// The number of incidents, each with one report.
    let incidents: Int
    /// The number of days over which the reports are distributed; the last one is today.
    let days: Int
    let now: Int64
    let seed: UInt64

    /// The number of rows of one statement.
    static let chunk = 50_000

    /// A part of the reports of one day.
    struct Part {
        /// The day since 1970.
        var day: Int64
        /// The numbers of the reports on this day.
        var numbers: Range<Int>
        /// The number of all reports on this day.
        var count: Int
        /// The seconds over which the reports of the day are distributed.
        var seconds: Int64
    }

    /// The parts in the order of time.
    var parts: [Part] {
        let (today, missing) = (now / 86_400, reports - incidents)
        return (0..<days).flatMap { index in
            let day = today - Int64(days - 1 - index)
            let count = missing * (index + 1) / days - missing * index / days
            let seconds = day == today ? max(1, now - day * 86_400) : 86_400
            return stride(from: 0, to: count, by: Self.chunk).map { start in
                Part(day: day, numbers: start..<min(count, start + Self.chunk), count: count, seconds: seconds)
            }
        }
    }

    /// The time of report `n` of a part, as SQL.
    func time(_ part: Part) -> String { "\(part.day * 86_400) + n * \(part.seconds) / \(part.count)" }

    /// The number of the incident of report `n` of a part, as SQL. The factor is a prime number, so that neighbors
    /// belong to different incidents.
    func incident(_ part: Part) -> String { "(n * 7919 + \(part.day)) % \(incidents)" }

    /// The digests of the clients of an incident, as a database stores them, in hexadecimal digits.
    var clients: String {
        var random = SeededGenerator(seed: seed)
        var sketch = ClientSketch()
        for _ in 0..<max(1, reports / incidents) {
            let words = [random.next(), random.next()]
            sketch.insert(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
        }
        return sketch.bytes.map { String(format: "%02x", $0) }.joined()
    }

    /// The states of incidents by the remainder of their number, as SQL.
    static let state = "CASE id % 4 WHEN 1 THEN 'acknowledged' WHEN 2 THEN 'resolved' ELSE 'new' END"

    /// The values of each incident: the number of the facet, a prefix, and the number of values.
    static let values: [(facet: Int, prefix: String, count: Int)] = [(1, "6.", 20), (2, "", 5), (3, "IOS 17.", 12)]
}
