import ArgumentParser
import BenchSupport
import Foundation

/// Measures, and prints.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measures round by round, every contestant in turn, and prints medians and ratios.")

    @Option(help: "The number of rounds.")
    var rounds = 5
    @Option(help: "How long one contestant is measured in one round, in seconds.")
    var duration = 0.15
    @Option(help: "Only scenarios whose name contains this; can be given several times. See --list.")
    var only: [String] = []
    @Option(
        help:
            "Only these, separated by commas: \(Contestant.allCases.map(\.rawValue).joined(separator: ", "))."
    )
    var contestants: String?
    @Option(help: "markdown or json.")
    var format = OutputFormat.markdown
    @Option(help: "How many plain connections are opened to weigh an idle one, and a tenth over TLS; 0: none.")
    var idle = 10_000
    @Option(help: "Whether the messages are ascii or cyrillic.")
    var text = MessageText.ascii
    @Option(help: "The folder with Python's scripts.")
    var peers = "Benchmarks/Peers"
    @Option(help: "The Python whose websockets are measured, if it has them.")
    var python = "python3"
    @Flag(help: "Prints the names of the scenarios, and measures nothing.")
    var list = false

    func validate() throws {
        guard rounds > 0, duration > 0, idle >= 0 else {
            throw ValidationError("--rounds and --duration must be above zero, --idle not below.")
        }
        for name in contestants?.split(separator: ",") ?? [] where Contestant(rawValue: String(name)) == nil {
            throw ValidationError("There is no contestant \"\(name)\".")
        }
        if scenarios.isEmpty, only != ["idle"] {
            throw ValidationError("No scenario has a name like that; see --list.")
        }
    }

    func run() async throws {
        if list {
            for scenario in scenarios { print(scenario.name) }
            return
        }
        OpenFiles.raiseLimit()
        let site = try Site()
        let python = try kinds.contains(.python) ? Python(self.python, scripts: peers, site: site) : nil
        defer { python?.tidyUp() }
        if kinds.contains(.python), python == nil { say("\(self.python) has no websockets, and is left out.") }
        var report = Report(
            rounds: rounds, secondsPerSlice: duration, processors: ProcessInfo.processInfo.activeProcessorCount,
            text: text)
        if !scenarios.isEmpty {
            let servers = try await ServerHall(kinds, site, python: python)
            let clients = try await ClientHall(site, python: kinds.contains(.python) ? python : nil)
            for scenario in scenarios {
                report.comparisons.append(try await compare(scenario, servers, clients))
            }
            try await servers.stop()
            try await clients.stop()
        }
        if idle > 0, only.isEmpty || only == ["idle"] { report.idle = try await weigh(site, python) }
        switch format {
        case .markdown: print(report.markdown)
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        }
    }

    private var scenarios: [Scenario] {
        Scenario.standard.filter { scenario in only.isEmpty || only.contains { scenario.name.contains($0) } }
    }

    private var kinds: [Contestant] {
        guard let contestants else { return Contestant.allCases }
        return contestants.split(separator: ",").compactMap { Contestant(rawValue: String($0)) }
    }

    private func compare(
        _ scenario: Scenario, _ servers: ServerHall, _ clients: ClientHall
    ) async throws -> Comparison {
        say(scenario.name)
        let text = text.text(scenario.size.count)
        var courses: [(contestant: Contestant, course: any Course)] = []
        for contestant in kinds where contestant.canRun(scenario) {
            let course: (any Course)? =
                switch scenario.role {
                case .server: try await servers.course(contestant, scenario, text: text)
                case .client: try await clients.course(contestant, scenario, text: text)
                }
            if let course { courses.append((contestant, course)) }
        }
        // Connections are opened, and what is made once is made, before the first round.
        for (_, course) in courses { _ = try await course.measure(for: .seconds(min(duration, 0.1))) }
        var slices = courses.map { _ in [Slice]() }
        for round in 0..<rounds {
            // Whoever is first in one round is last in the next.
            let order = round.isMultiple(of: 2) ? Array(courses.indices) : courses.indices.reversed()
            for index in order {
                slices[index].append(try await courses[index].course.measure(for: .seconds(duration)))
            }
        }
        for (_, course) in courses { try await course.close() }
        return Comparison(scenario, Array(zip(courses.map(\.contestant), slices)))
    }

    private func weigh(_ site: Site, _ python: Python?) async throws -> [IdleFigure] {
        let scale = IdleScale(site, python: python)
        var figures: [IdleFigure] = []
        for role in Scenario.Role.allCases {
            for isSecure in [false, true] {
                let count = isSecure ? idle / 10 : idle
                for contestant in IdleContestant.allCases
                where count > 0 && contestant.contestant.map(kinds.contains) ?? true {
                    say("idle-\(role.rawValue)-\(isSecure ? "tls" : "plain")-\(contestant.rawValue)")
                    if let figure = try await scale.weigh(
                        contestant, role, isSecure: isSecure, connections: count)
                    {
                        figures.append(figure)
                    }
                }
            }
        }
        return figures
    }

    private func say(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
    }
}
