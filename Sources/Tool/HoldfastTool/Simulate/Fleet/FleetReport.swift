import FleetSimulation
import Foundation
import HoldfastBase
import HoldfastSystem
import HoldfastTrust

/// The results of fleets, as a table, as JSON and as charts.
struct FleetReport {
    /// A run and the time that it took.
    struct Run {
        var outcome: FleetOutcome
        var duration: Duration
    }

    let runs: [Run]

    /// Whether every invariant held, or the planted mistake broke its invariant.
    var isGood: Bool { runs.allSatisfy { Self.isGood($0.outcome) } }

    private static func isGood(_ outcome: FleetOutcome) -> Bool {
        guard let fault = outcome.setup.fault else { return outcome.isGood }
        return outcome.complaints.contains { $0.invariant == fault.invariant }
    }

    // MARK: Text

    var text: String {
        var table = TextTable(
            [
                .whole("scenario"), .number("locked out"), .number("at end"), .number("switched"), .number("noticed"),
                .number("halt"), .number("fix"), .number("connects/s"), .number("fetches/s"), .number("reports/s"),
                .number("peak/ideal"), .number("accepted"), .number("seconds"),
            ], hasRule: true)
        for run in runs { table.add(cells(run)) }
        return (table.lines() + runs.flatMap(notes)).joined(separator: "\n")
    }

    private func cells(_ run: Run) -> [String] {
        let (outcome, figures) = (run.outcome, run.outcome.figures)
        let rates = outcome.peaks.map { FleetReport.rate($0.highest) }
        let worst = outcome.peaks.compactMap { $0.worst?.ratio }.max()
        return [
            outcome.setup.scenario.rawValue, FleetReport.percent(figures.mostLockedOut, of: outcome.setup.clients),
            "\(figures.lockedOutAtEnd)", FleetReport.percent(figures.switchedToBad, of: outcome.setup.clients),
            time(figures.noticedAt, outcome), time(figures.haltedAt, outcome), time(figures.fixedAt, outcome),
        ] + rates + [
            worst.map { FleetReport.hundredths($0 / 10) } ?? "-",
            "\(figures.accepted)", "\(run.duration.components.seconds)",
        ]
    }

    /// Returns a time after the incident in minutes.
    private func time(_ second: Int?, _ outcome: FleetOutcome) -> String {
        second.map { "+\(($0 - outcome.setup.incident) / 60) min" } ?? "-"
    }

    private static func rate(_ peak: HerdRule.Peak) -> String { "\(peak.count / max(1, peak.length))" }

    /// Returns a number of hundredths with two decimals.
    static func hundredths(_ number: Int) -> String { "\(number / 100).\(String(100 + number % 100).dropFirst())" }

    /// Returns a share in percent with three decimals.
    static func percent(_ count: Int, of all: Int) -> String {
        let thousandths = count * 100_000 / max(1, all)
        return "\(thousandths / 1_000).\(String(1_000 + thousandths % 1_000).dropFirst())%"
    }

    private func notes(_ run: Run) -> [String] {
        let outcome = run.outcome
        let complaints = outcome.complaints.map { complaint in
            "\(outcome.setup.scenario.rawValue) breaks \(complaint.invariant.rawValue) at \(complaint.second) s: "
                + complaint.text
        }
        guard let fault = outcome.setup.fault else {
            return complaints.isEmpty ? ["\(outcome.setup.scenario.rawValue): every invariant held"] : complaints
        }
        let verdict = Self.isGood(outcome) ? "broke its invariant" : "did not break its invariant"
        return complaints + ["the planted mistake \(fault.rawValue) \(verdict)"]
    }

    // MARK: JSON

    /// One JSON object.
    var json: String {
        let text = JSONWriter.text(.fields([("good", .bool(isGood)), ("runs", .list(runs.map { node($0) }))]))
        return String(text.dropLast())
    }

    private func node(_ run: Run) -> JSONNode.Value {
        let (outcome, figures) = (run.outcome, run.outcome.figures)
        func number(_ value: some BinaryInteger) -> JSONNode.Value { .number(String(value)) }
        let streams = outcome.peaks.map { peak -> JSONNode.Value in
            let total: JSONNode.Value = number(outcome.record.total(peak.stream))
            return .fields([
                ("name", .string(peak.stream.name)), ("total", total),
                ("highestPerSecond", number(peak.highest.count / max(1, peak.highest.length))),
                ("highestAt", number(peak.highest.second)),
                ("ratioThousandths", peak.worst.map { number($0.ratio) }),
                ("ratioAt", peak.worst.map { number($0.second) }),
            ])
        }
        let complaints = outcome.complaints.map { complaint -> JSONNode.Value in
            .fields([
                ("invariant", .string(complaint.invariant.rawValue)), ("second", number(complaint.second)),
                ("text", .string(complaint.text)),
            ])
        }
        var fields: [(String, JSONNode.Value?)] = [
            ("scenario", .string(outcome.setup.scenario.rawValue)), ("clients", number(outcome.setup.clients)),
            ("seed", number(outcome.setup.seed)), ("planted", outcome.setup.fault.map { .string($0.rawValue) }),
            ("good", .bool(Self.isGood(outcome))), ("events", number(figures.events)),
        ]
        fields += [
            ("incidentAt", number(outcome.setup.incident)), ("noticedAt", figures.noticedAt.map { number($0) }),
            ("haltedAt", figures.haltedAt.map { number($0) }), ("fixedAt", figures.fixedAt.map { number($0) }),
            ("mostLockedOut", number(figures.mostLockedOut)), ("mostLockedOutAt", number(figures.mostLockedOutAt)),
            ("lockedOutAtEnd", number(figures.lockedOutAtEnd)), ("switchedToBad", number(figures.switchedToBad)),
        ]
        fields += [
            ("reportsAccepted", number(figures.accepted)), ("reportsRefused", number(figures.refused)),
            ("reportsUnanswered", number(figures.unanswered)), ("reportsDropped", number(figures.dropped)),
            ("reportsWaitingAtEnd", number(figures.waitingAtEnd)), ("mostWaiting", number(figures.mostWaiting)),
        ]
        fields += [
            ("streams", .list(streams)), ("complaints", .list(complaints)),
            ("record", .string(String(outcome.record.digest, radix: 16))),
            ("milliseconds", number(run.duration.wholeMilliseconds)),
        ]
        return .fields(fields)
    }

    // MARK: Charts

    /// Writes the charts and the record of each run to a new folder.
    func writePlots(to folder: String) throws(ToolError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        } catch {
            throw ToolError("cannot create the folder '\(Printable.text(folder))': \(ErrorText.sentence(error))")
        }
        let files = runs.flatMap { run -> [NewFile] in
            let prefix = "\(folder)/\(run.outcome.setup.scenario.rawValue)-"
            let plots = FleetPlot.all(run.outcome).map { name, plot in
                NewFile(path: prefix + name, bytes: Array(plot.svg.utf8), isPrivate: false)
            }
            return plots + [NewFile(path: prefix + "record.bin", bytes: run.outcome.record.bytes, isPrivate: false)]
        }
        try NewFile.create(files)
    }
}
