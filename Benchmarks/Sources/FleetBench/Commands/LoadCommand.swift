import ArgumentParser
import BenchSupport
import Foundation

/// Measures how many reports a collector accepts.
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Measures how many reports a collector accepts, and how fast.")

    @OptionGroup var options: StageOptions
    @Option(help: "The number of connections.")
    var connections = 500
    @Option(help: "The number of incidents; half of the reports belong to the first one.")
    var incidents = 200
    @Option(help: "The seconds of the measurement.")
    var duration = 60.0
    @Option(help: "The seconds before the measurement.")
    var warmUp = 10.0
    @Option(help: "The number of reports per second (default: as many as possible).")
    var rate: Double?

    func validate() throws {
        guard connections > 0, connections <= LoadGenerator.connectionLimit, incidents > 0, duration > 0, warmUp >= 0,
            rate ?? 1 > 0
        else {
            throw ValidationError(
                "--connections must be 1 to \(LoadGenerator.connectionLimit), all other numbers greater than 0.")
        }
    }

    func run() throws {
        let templates = try ReportTemplates(incidents: incidents, seed: options.seed)
        let report = try Stage.with(options) { try measure($0, templates) }
        try options.report(report, markdown: report.markdown)
    }

    private func measure(_ stage: Stage, _ templates: ReportTemplates) throws -> LoadReport {
        let load = LoadGenerator(templates, port: stage.collector.port, connections: connections, rate: rate)
        load.start()
        Thread.sleep(forTimeInterval: warmUp)
        let before = StageUsage.now(stage)
        load.tally.beginWindow()
        var peak = before
        let end = ContinuousClock.now + .seconds(duration)
        while ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: min(0.5, duration))
            peak.keepPeak(of: .now(stage))
        }
        let window = load.tally.endWindow()
        var usage = StageUsage.now(stage).since(before)
        usage.keepPeak(of: peak)
        try load.stop()
        stage.collector.stop()
        let stored = try stage.database.number("SELECT count(*) FROM report")
        let answered = load.tally.accepted + load.tally.repeated
        guard stored == answered else {
            throw BenchFailure("\(answered) reports were accepted, but \(stored) are stored")
        }
        let seconds = window.length
        let perSecond = Double(window.latencies.count) / seconds
        guard perSecond > 0 else { throw BenchFailure("no report was accepted in the time of the measurement") }
        return LoadReport(
            engine: options.engine, connections: connections, incidents: incidents, rate: rate, seconds: seconds,
            accepted: window.latencies.count, refused: window.refused, perSecond: perSecond,
            slowestSecond: (0..<max(1, Int(seconds))).map { window.seconds[$0] ?? 0 }.min() ?? 0,
            p50: window.latencies.percentile(0.5) / 1e3, p99: window.latencies.percentile(0.99) / 1e3,
            longest: (window.latencies.max() ?? 0) / 1e3, usage: usage, reportBytes: templates.reportBytes,
            storedBytes: Double(try stage.database.size()) / Double(stored),
            machines: Int((LoadReport.goal / perSecond).rounded(.up)))
    }
}
