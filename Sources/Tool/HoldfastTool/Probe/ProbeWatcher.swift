/// Runs a watch: rounds with pauses between them, until it is interrupted.
struct ProbeWatcher: Sendable {
    /// The length of the pauses.
    var pace: ProbePace
    /// The number of rounds; `nil` for no limit.
    var rounds: Int?
    /// Waits. Throws when the task is cancelled.
    var pause: @Sendable (Duration) async throws -> Void = {
        try await Task.sleep(for: $0)  // reason: pauses in real time; tests inject another pause
    }
    /// Returns when the user or the system interrupts the command.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }

    /// Runs rounds, each with the watch's state and its number from 1. An interruption ends a round or a pause, and
    /// counts as success.
    func run(
        _ round: @escaping @Sendable (inout ProbeWatch, Int) async throws -> ToolStatus
    ) async throws -> ToolStatus {
        try await withThrowingTaskGroup(of: ToolStatus.self) { group in
            group.addTask {
                var state = ProbeWatch()
                var number = 1
                while true {
                    let status = try await round(&state, number)
                    if number == rounds { return status }
                    try await pause(pace.next())
                    number += 1
                }
            }
            group.addTask {
                await interruption()
                return .success
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .success
        }
    }
}

/// The time between two rounds.
struct ProbePace: Sendable {
    /// The interval before jitter.
    var interval: Duration
    /// Returns a random number from 0 to 1, evenly distributed. The jitter prevents many watches from connecting at
    /// once.
    var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Returns the next pause: 90 to 110 percent of the interval.
    func next() -> Duration {
        let shift = min(max(chance(), 0), 1)
        return interval * (0.9 + 0.2 * (shift.isNaN ? 0.5 : shift))
    }
}
