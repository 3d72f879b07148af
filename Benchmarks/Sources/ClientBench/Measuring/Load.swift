import BenchSupport
/// Sends requests one after the other from several concurrent tasks.
enum Load {
    /// Sends requests for a duration and measures them. `executor` runs the tasks; `nil` for the global executor.
    static func measure(
        _ contestant: any Contestant, _ scenario: Scenario, for duration: Duration, on server: BenchServer,
        executor: (any TaskExecutor)? = nil
    ) async throws -> Slice {
        let serverBefore = try await server.processorTime()
        let cpuBefore = ProcessorTime.ofProcess()
        let start = ContinuousClock.now
        let requests = try await run(contestant, scenario, until: start + duration, executor: executor)
        let elapsed = ContinuousClock.now - start
        let cpu = ProcessorTime.ofProcess() - cpuBefore
        let serverCPU = try await server.processorTime() - serverBefore
        return Slice(requests: requests, seconds: elapsed / .seconds(1), cpu: cpu, serverCPU: serverCPU)
    }

    static func run(
        _ contestant: any Contestant, _ scenario: Scenario, until end: ContinuousClock.Instant,
        executor: (any TaskExecutor)? = nil
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<scenario.concurrency {
                group.addTask(executorPreference: executor) {
                    var count = 0
                    repeat {
                        let bytes = try await contestant.get()
                        guard bytes == scenario.body.count else { throw WrongResponse(bytes: bytes) }
                        count += 1
                    } while ContinuousClock.now < end
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
