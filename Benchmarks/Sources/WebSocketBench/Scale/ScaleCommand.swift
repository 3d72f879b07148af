import ArgumentParser
import BenchSupport
import Foundation

/// Measures many clients in one process against a server in another one: memory, idle load and reconnecting.
struct ScaleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Measures thousands of Holdfast's clients in one process: memory, idle load and reconnecting.")

    /// The connections to one address. A pair of addresses has about 28,000 ephemeral ports on Linux.
    private static let perAddress = 20_000
    /// The number of open connections at the first measurement of memory, so that one-time allocations are not counted.
    private static let first = 50

    @Option(help: "The number of clients without TLS; 0 to skip them.")
    var plain = 10_000
    @Option(help: "The number of clients over TLS; 0 to skip them.")
    var tls = 2_000
    @Option(help: "The seconds of the idle measurement. Each connection sends a ping after 30 seconds.")
    var seconds = 60.0
    @Option(help: "markdown or json.")
    var format = OutputFormat.markdown

    func validate() throws {
        guard plain >= 0, tls >= 0, plain + tls > 0, seconds > 0 else {
            throw ValidationError("--plain or --tls must be greater than 0, and so must --seconds.")
        }
        guard max(plain, tls) <= 254 * Self.perAddress else {
            throw ValidationError("The loopback addresses have too few ports for this number of clients.")
        }
        let limit = OpenFiles.raiseLimit()
        guard max(plain, tls) + 200 <= limit else {
            throw ValidationError(
                "\(max(plain, tls)) clients need \(max(plain, tls) + 200) open files, and the limit is \(limit). "
                    + "Raise it with \"ulimit -n\" or use fewer clients.")
        }
    }

    func run() async throws {
        let site = try Site()
        var report = ScaleReport(processors: ProcessInfo.processInfo.activeProcessorCount)
        if plain > 0 { report.figures.append(try measure(plain, isSecure: false, site)) }
        if tls > 0 { report.figures.append(try measure(tls, isSecure: true, site)) }
        try format.show(report, markdown: report.markdown)
    }

    private func measure(_ count: Int, isSecure: Bool, _ site: Site) throws -> ScaleFigure {
        let name = isSecure ? "tls" : "plain"
        let site = String(decoding: try JSONEncoder().encode(site), as: UTF8.self)
        let shared =
            ["--site", site, "--addresses", "\((count - 1) / Self.perAddress + 1)"] + (isSecure ? ["--secure"] : [])
        let serverArguments = ["idle", "--contestant", IdleContestant.holdfast.rawValue, "--role", "server"] + shared
        var server = try InteractiveProcess(own: serverArguments)
        let port = try server.ask()
        let clients = try InteractiveProcess(own: ["scale-clients", "--port", port] + shared)

        StandardError.say("scale-\(name): \(count) clients connect")
        let first = min(Self.first, count / 2)
        let before = try ask(clients, .open, first)
        let serverBefore = try memory(of: server)
        let opened = try ask(clients, .open, count - first)
        let serverAfter = try memory(of: server)

        StandardError.say("scale-\(name): idle for \(Number.text(seconds, 1)) s")
        let serverIdle = ProcessorTime.of(process: server.processID)
        let idle = try ask(clients, .idle, seconds)
        let serverIdleCPU = ProcessorTime.of(process: server.processID) - serverIdle

        StandardError.say("scale-\(name): the server is killed, and all clients reconnect")
        _ = try ask(clients, .cut, 0)
        let cut = ContinuousClock.now
        server.endAbruptly()
        server = try InteractiveProcess(own: serverArguments + ["--port", port])
        _ = try server.ask()
        let restart = ContinuousClock.now - cut
        let reconnected = try ask(clients, .reconnect, 0)
        let serverReconnectCPU = ProcessorTime.of(process: server.processID)
        clients.end()
        server.end()

        let added = Double(count - first)
        return ScaleFigure(
            isSecure: isSecure, clients: count,
            clientMemory: (opened.memory - before.memory) / added,
            clientMemoryAfterReconnecting: (reconnected.memory - before.memory) / added,
            serverMemory: (serverAfter - serverBefore) / added,
            secondsToOpen: before.seconds + opened.seconds, cpuToOpen: before.cpu + opened.cpu,
            failedAttemptsToOpen: before.failures.merging(opened.failures, uniquingKeysWith: +),
            idleSeconds: idle.seconds, idleCPU: idle.cpu, idleServerCPU: serverIdleCPU, idleLosses: idle.losses,
            secondsToRestart: restart / .seconds(1), secondsToReconnect: reconnected.seconds,
            cpuToReconnect: reconnected.cpu, serverCPUToReconnect: serverReconnectCPU, losses: reconnected.losses,
            failedAttempts: reconnected.failures)
    }

    private func ask(
        _ clients: InteractiveProcess, _ order: ScaleClientsCommand.Order, _ argument: some CustomStringConvertible
    ) throws -> ScaleAnswer {
        try JSONDecoder().decode(
            ScaleAnswer.self, from: Data(try clients.ask("\(order.rawValue) \(argument)").utf8))
    }

    private func memory(of server: InteractiveProcess) throws -> Memory {
        try JSONDecoder().decode(Memory.self, from: Data(try server.ask("").utf8))
    }
}

extension Memory {
    fileprivate static func - (first: Self, second: Self) -> Self {
        Memory(resident: first.resident - second.resident, heap: first.heap - second.heap)
    }

    fileprivate static func / (memory: Self, count: Double) -> Self {
        Memory(resident: memory.resident / count, heap: memory.heap / count)
    }
}
