import ArgumentParser
import BenchSupport
import ChatBenchSupport
import Foundation

/// Measures many chats in one process: memory, the processor time when idle, and reconnecting after a cut.
struct ScaleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Measures many chats in one process: memory, processor time when idle, reconnecting after a cut.")

    /// The processor time of 1,000 idle chats in percent of a core.
    private static let idleGoal = 1.0

    @Option(help: "The number of chats, from 2 to 1,000 (the server's limit).")
    var chats = 1000
    @Option(help: "The seconds for the processor time when idle.")
    var idle = 20.0
    @Option(help: "The seconds between ready and the measurement when idle. Unused connections are closed after 30 s.")
    var settle = 40.0
    @Option(help: "The seconds after which a missing connection is an error.")
    var timeout = 120.0
    @Option(help: "The folder for the stores.")
    var folder = FileManager.default.currentDirectoryPath
    @Flag(help: "Print the figures as JSON.")
    var json = false

    func validate() throws {
        guard (2...1000).contains(chats), idle > 0, settle >= 0, timeout > 0 else {
            throw ValidationError("--chats must be from 2 to 1000, --idle and --timeout greater than 0.")
        }
    }

    func run() async throws {
        OpenFiles.raiseLimit()
        let folder = try WorkFolder(in: URL(fileURLWithPath: self.folder))
        defer { folder.remove() }
        var machine = Machine(folder: folder.root)
        // A chat has a socket and connections for REST calls. After a cut, old and new ones exist for a moment.
        let server = try ServerProcess(connections: 10 * chats)
        defer { server.end() }
        let fleet = ChatFleet(server.site, in: folder)
        let figures = try await measure(fleet, server)
        fleet.close()
        machine.noteLoad()
        try report(figures, machine)
    }

    private func measure(_ fleet: ChatFleet, _ server: ServerProcess) async throws -> [Figure] {
        let limit = Duration.seconds(timeout)
        // The first chat makes the allocations of the process that all chats share.
        try fleet.open(1)
        _ = try await fleet.waitUntilReady(within: limit)
        try await Task.sleep(for: .seconds(1))
        let before = Memory.now()

        let start = Stopwatch()
        try fleet.open(chats - 1)
        let started = start.stop(at: try await fleet.waitUntilReady(within: limit))
        try await Task.sleep(for: .seconds(settle))
        let after = Memory.now()

        let trafficBefore = try server.traffic()
        let rest = Stopwatch()
        try await Task.sleep(for: .seconds(idle))
        let rested = rest.stop(at: .now)
        let traffic = try server.traffic() - trafficBefore

        fleet.startOver()
        let cut = Stopwatch()
        let connections = try server.cut()
        let reconnected = cut.stop(at: try await fleet.waitUntilReady(lost: chats, within: limit))

        let more = Double(chats - 1)
        let share = rested.processor / rested.seconds * 100
        func perChat(_ bytes: Int) -> Double { Double(bytes) / rested.seconds / Double(chats) }
        let number = Number.text(Double(chats))
        return [
            Figure("one chat adds, resident", "KiB", [(after.resident - before.resident) / more]),
            Figure("one chat adds, heap", "KiB", [(after.heap - before.heap) / more]),
            Figure("\(number) chats ready after", "s", [started.seconds]),
            Figure("… processor time", "s", [started.processor]),
            Figure(
                "\(number) idle chats, processor time of a core", "%",
                goal: Self.idleGoal * Double(chats) / 1000, [share]),
            Figure("… bytes up for each chat and second", "B", [perChat(traffic.up)]),
            Figure("… bytes down for each chat and second", "B", [perChat(traffic.down)]),
            Figure("… new connections", "", [Double(traffic.connections)]),
            Figure("connections that were cut", "", [Double(connections)]),
            Figure("\(number) chats ready again after", "s", [reconnected.seconds]),
            Figure("… processor time", "s", [reconnected.processor]),
        ]
    }

    private func report(_ figures: [Figure], _ machine: Machine) throws {
        let report = ScaleReport(
            parameters: ["chats": "\(chats)", "idle": "\(idle)", "settle": "\(settle)"], machine: machine,
            figures: figures)
        try (json ? OutputFormat.json : .markdown).show(report, markdown: report.markdown)
    }
}

/// The wall-clock time and the processor time of this process since a moment, in seconds.
private struct Stopwatch {
    private let start = ContinuousClock.now
    private let processor = ProcessorTime.ofProcess()

    func stop(at end: ContinuousClock.Instant) -> (seconds: Double, processor: Double) {
        ((end - start) / .seconds(1), (ProcessorTime.ofProcess() - processor) / 1e6)
    }
}
