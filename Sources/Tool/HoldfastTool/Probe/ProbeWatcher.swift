/// Drives a watch: rounds with pauses between them, until it is interrupted.
struct ProbeWatcher: Sendable {
    /// How long the pauses are.
    var pace: ProbePace
    /// After how many rounds it ends by itself; `nil`: never.
    var rounds: Int?
    /// Waits. Throws when the task is cancelled.
    var pause: @Sendable (Duration) async throws -> Void = {
        try await Task.sleep(for: $0)  // reason: the pause between two rounds, in real time; tests hand in another
    }
    /// Returns when the person or the system wants an end.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }

    /// Runs rounds, each with the state of the watch and its number from 1. An interruption cuts a round or a pause off, and
    /// is success.
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
