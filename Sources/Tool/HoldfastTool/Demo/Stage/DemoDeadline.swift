/// Waits for something that a peer has to bring about, and no longer than a deadline.
enum DemoDeadline {
    /// The result of `work`. Throws ``ToolError`` if it is not there in time; the work is cancelled then.
    static func within<Result: Sendable>(
        _ limit: Duration, for what: String, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)  // reason: the deadline itself, in real time
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else {
                throw ToolError("after \(limit.components.seconds) s there was still no \(what)", status: .failure)
            }
            return result
        }
    }
}
