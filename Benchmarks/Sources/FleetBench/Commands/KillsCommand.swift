import ArgumentParser
import BenchSupport
import Foundation
import HoldfastTestSupport

/// Kills the collector and the database under load, and then compares the database with the answers.
struct KillsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kills",
        abstract: "Kills the collector and PostgreSQL under load; no accepted report may be lost or counted twice.")

    @OptionGroup var options: StageOptions
    @Option(help: "The number of kills of the collector, and of all processes of PostgreSQL.")
    var rounds = 5
    @Option(help: "The smallest number of accepted reports between two kills.")
    var between = 5_000
    @Option(help: "The number of connections.")
    var connections = 128
    @Option(help: "The number of incidents.")
    var incidents = 50

    func validate() throws {
        guard rounds > 0, between > 0, connections > 0, connections <= LoadGenerator.connectionLimit, incidents > 0
        else {
            throw ValidationError(
                "--connections must be 1 to \(LoadGenerator.connectionLimit), all other numbers greater than 0.")
        }
    }

    /// The result of a run.
    struct Result: Codable, Sendable {
        var engine: Engine
        var collectorKills = 0
        var databaseKills = 0
        /// The number of killed processes of PostgreSQL.
        var databaseProcesses = 0
        /// The connections that ended before their answer.
        var lostConnections = 0
        /// The reports whose first answer was lost, so that they were sent again.
        var repeated = 0
        var check: KillCheck
    }

    func run() throws {
        let templates = try ReportTemplates(incidents: incidents, seed: options.seed)
        let result = try Stage.with(options) { try kill($0, templates) }
        try options.report(result, markdown: markdown(result))
        guard result.check.holds else { throw ExitCode.failure }
    }

    private func kill(_ stage: Stage, _ templates: ReportTemplates) throws -> Result {
        var random = SeededGenerator(seed: options.seed)
        let load = LoadGenerator(
            templates, port: stage.collector.port, connections: connections, keepsAnswers: true)
        load.start()
        var (databaseKills, processes) = (0, 0)
        for _ in 0..<rounds {
            try accept(load, &random)
            stage.collector.kill()
            try stage.collector.start()
            load.use(port: stage.collector.port)
            guard let server = stage.server else { continue }
            try accept(load, &random)
            processes += try server.kill()
            databaseKills += 1
            try server.start()
        }
        try accept(load, &random)
        try load.stop()
        stage.collector.stop()
        return Result(
            engine: options.engine, collectorKills: rounds, databaseKills: databaseKills, databaseProcesses: processes,
            lostConnections: load.tally.lostConnections, repeated: load.tally.repeated,
            check: try KillCheck(stage, load))
    }

    /// Waits for a random number of accepted reports.
    private func accept(_ load: LoadGenerator, _ random: inout SeededGenerator) throws {
        let goal = load.tally.accepted + Int.random(in: between...2 * between, using: &random)
        try Polling.wait("for \(goal) accepted reports", seconds: 300) {
            try load.tally.check()
            return load.tally.accepted >= goal
        }
    }

    private func markdown(_ result: Result) -> String {
        let check = result.check
        let sums = check.wrongSums.isEmpty ? "" : ", wrong sums: \(check.wrongSums.joined(separator: ", "))"
        return """
            \(result.engine.title): \(result.collectorKills) kills of the collector, \(result.databaseKills) of the \
            database (\(result.databaseProcesses) processes), \(result.lostConnections) lost connections, \
            \(result.repeated) reports answered only after a repetition. \
            \(Number.text(Double(check.answered))) accepted reports: \(check.lost) lost, \(check.doubled) stored twice, \
            \(check.wrongIncidents) incidents with a wrong count\(sums)
            """
    }
}
