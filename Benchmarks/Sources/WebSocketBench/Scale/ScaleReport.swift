import BenchSupport

/// The figures of ``ScaleCommand``.
struct ScaleReport: Codable {
    var processors: Int
    var figures: [ScaleFigure] = []

    /// The figures as a Markdown table.
    var markdown: String {
        var text = """
            Many clients in one process, the server in another one, \(processors) processors. Each client is a \
            connection with pins and default keep-alive, which has exchanged a message of 1 KiB. Memory is the growth \
            after the first fifty clients, divided by the number of the others. The clients reconnect with a loop of \
            the benchmark: at most \(ScaleClients.atOnce) attempts at a time, and \
            \(Number.text(ScaleClients.pause.milliseconds)) ms after a failed attempt.

            | measure | \(figures.map { $0.isSecure ? "TLS" : "plain" }.joined(separator: " | ")) |
            |---|\(String(repeating: "---|", count: figures.count))

            """
        for (title, cell) in Self.rows {
            text += "| \(title) | \(figures.map(cell).joined(separator: " | ")) |\n"
        }
        return text
    }

    private static let rows: [(String, @Sendable (ScaleFigure) -> String)] = [
        ("clients", { Number.text(Double($0.clients)) }),
        ("memory for each client, KiB, resident set · heap", { memory($0.clientMemory) }),
        ("the same after reconnecting", { memory($0.clientMemoryAfterReconnecting) }),
        ("memory for each connection of the server, KiB, resident set · heap", { memory($0.serverMemory) }),
        ("time until all are connected, s", { Number.text($0.secondsToOpen, 2) }),
        ("… processor time of the clients for each, µs", { Number.text($0.cpuToOpen / Double($0.clients)) }),
        ("… failed attempts", { counts($0.failedAttemptsToOpen) }),
        (
            "idle: processor time of the clients · of the server, % of a processor",
            { "\(percent($0.idleCPU, $0)) · \(percent($0.idleServerCPU, $0))" }
        ),
        ("… lost connections", { counts($0.idleLosses) }),
        ("after SIGKILL: time until the new server listens, s", { Number.text($0.secondsToRestart, 2) }),
        ("… time until all are connected again, s", { Number.text($0.secondsToReconnect, 2) }),
        (
            "… processor time of the clients · of the server for each, µs",
            {
                "\(Number.text($0.cpuToReconnect / Double($0.clients))) · "
                    + Number.text($0.serverCPUToReconnect / Double($0.clients))
            }
        ),
        ("… lost connections", { counts($0.losses) }),
        ("… failed attempts", { counts($0.failedAttempts) }),
    ]

    private static func memory(_ memory: Memory) -> String {
        "\(Number.text(memory.resident, 1)) · \(Number.text(memory.heap, 1))"
    }

    private static func percent(_ microseconds: Double, _ figure: ScaleFigure) -> String {
        Number.text(microseconds / 1e6 / figure.idleSeconds * 100, 2)
    }

    private static func counts(_ counts: [String: Int]) -> String {
        counts.isEmpty
            ? "0"
            : counts.sorted { $0.key < $1.key }.map { "\(Number.text(Double($0.value))) \($0.key)" }
                .joined(separator: ", ")
    }
}

/// The figures of the clients with or without TLS. Times of processors are in microseconds.
struct ScaleFigure: Codable {
    var isSecure: Bool
    var clients: Int
    /// The memory of one client, and of one connection of the server.
    var clientMemory: Memory
    var clientMemoryAfterReconnecting: Memory
    var serverMemory: Memory
    /// The time until all clients were connected, and the processor time of their process.
    var secondsToOpen: Double
    var cpuToOpen: Double
    var failedAttemptsToOpen: [String: Int]
    /// The duration of the idle measurement, and the processor time of both processes.
    var idleSeconds: Double
    var idleCPU: Double
    var idleServerCPU: Double
    var idleLosses: [String: Int]
    /// The time from the cut until the new server listened, and until all clients were connected again.
    var secondsToRestart: Double
    var secondsToReconnect: Double
    var cpuToReconnect: Double
    /// The processor time of the new server, including its start.
    var serverCPUToReconnect: Double
    /// The lost connections and the failed attempts, by error.
    var losses: [String: Int]
    var failedAttempts: [String: Int]
}
