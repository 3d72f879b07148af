import BenchSupport
/// Requests, one after the other, from several tasks at a time.
enum Load {
    /// Goes on for a time, and measures. `executor` runs the tasks; `nil`: the process's threads do.
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
