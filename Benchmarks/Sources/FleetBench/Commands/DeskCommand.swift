import ArgumentParser
import BenchSupport
import Foundation
import HoldfastTestSupport

/// Fills a database and measures the pages of the desk.
struct DeskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desk", abstract: "Fills a database with reports, and measures the pages of the report desk.")

    @OptionGroup var options: StageOptions
    @Option(help: "The number of reports.")
    var reports = 5_000_000
    @Option(help: "The number of incidents.")
    var incidents = 2_000
    @Option(help: "The number of days over which the reports are distributed, at most 89.")
    var days = 30
    @Option(help: "The number of requests of each kind.")
    var rounds = 50

    func validate() throws {
        guard incidents > 0, reports >= incidents, (1...89).contains(days), rounds > 0, incidents <= 10_000 else {
            throw ValidationError(
                "--incidents must be 1 to 10000, --reports at least as many, --days 1 to 89, --rounds at least 1.")
        }
    }

    func run() throws {
        let templates = try ReportTemplates(incidents: incidents, seed: options.seed)
        let report = try Stage.with(options) { try measure($0, templates) }
        try options.report(report, markdown: report.markdown)
    }

    private func measure(_ stage: Stage, _ templates: ReportTemplates) throws -> DeskReport {
        let load = LoadGenerator(
            templates, port: stage.collector.port, connections: min(incidents, 32), reports: UInt64(incidents),
            distribution: .even)
        load.start()
        try load.wait()
        stage.collector.stop()
        let begins = ContinuousClock.now
        try fill(stage)
        let filled = (ContinuousClock.now - begins).milliseconds / 1_000
        let stored = try stage.database.number("SELECT count(*) FROM report")
        guard stored == reports else { throw BenchFailure("\(stored) reports are stored instead of \(reports)") }
        var report = DeskReport(
            engine: options.engine, reports: reports, incidents: incidents, days: days, filled: filled,
            databaseBytes: try stage.database.size(), reportBytes: templates.reportBytes)
        let newest = try stage.database.number("SELECT max(id) FROM report")
        try stage.collector.start()
        let browser = try DeskBrowser(port: stage.collector.port)
        try browser.signIn()
        report.rows = try subjects(newest).map { try row($0, browser) }
        browser.close()
        return report
    }

    private func fill(_ stage: Stage) throws {
        let filling = DeskFilling(
            reports: reports, incidents: incidents, days: days, now: Int64(Date().timeIntervalSince1970),
            seed: options.seed)
        var shown = 0
        func progress(_ done: Int) {
            guard done * 10 / reports > shown else { return }
            shown = done * 10 / reports
            StandardError.say("\(shown * 10) % filled")
        }
        if let server = stage.server {
            try filling.fill(server, progress: progress)
        } else if let file = stage.database as? SQLiteFile {
            try filling.fill(file, progress: progress)
        }
    }

    // MARK: Requests

    /// A kind of request.
    private struct Subject {
        var name: String
        var goal: Double?
        /// Returns the path of a request by its number.
        var path: (Int) -> String
    }

    /// Returns the kinds of requests. Random choices are the same in each run with the same seed.
    private func subjects(_ newest: Int64) -> [Subject] {
        var random = SeededGenerator(seed: options.seed)
        let chosen = (0...rounds).map { _ in Int.random(in: 1...incidents, using: &random) }
        let week = Date(timeIntervalSinceNow: -7 * 86_400).formatted(.iso8601.year().month().day())
        return [
            Subject(name: "first page", goal: 200) { _ in "/desk/incidents" },
            Subject(name: "incident", goal: 300) { "/desk/incidents/\(chosen[$0])" },
            Subject(name: "filter by host", goal: 200) {
                "/desk/incidents?host=\(ReportTemplates.host(chosen[$0] - 1))"
            },
            Subject(name: "filter by app and state", goal: 200) { _ in
                "/desk/incidents?app=com.example.shop1&state=resolved"
            },
            Subject(name: "filter by time", goal: 200) { _ in "/desk/incidents?since=\(week)" },
            Subject(name: "all incidents as CSV") { _ in "/desk/incidents.csv" },
            Subject(name: "report") { "/desk/reports/\(max(1, newest - Int64(chosen[$0])))" },
            Subject(name: "reports of a host, JSON") { "/reports?host=\(ReportTemplates.host(chosen[$0] - 1))" },
        ]
    }

    private func row(_ subject: Subject, _ browser: DeskBrowser) throws -> DeskReport.Row {
        var (times, bytes): ([Double], Int) = ([], 0)
        for number in 0...rounds {
            let begins = ContinuousClock.now
            bytes = try browser.get(subject.path(number)).body.readableBytes
            times.append((ContinuousClock.now - begins).milliseconds)
        }
        let rest = Array(times.dropFirst())
        return DeskReport.Row(
            name: subject.name, first: times[0], p50: rest.percentile(0.5), p99: rest.percentile(0.99), bytes: bytes,
            goal: subject.goal)
    }
}
