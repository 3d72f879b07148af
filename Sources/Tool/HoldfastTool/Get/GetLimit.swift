/// The time limit of `--max-time` for what happens before the request. The client limits the request itself.
enum GetLimit {
    /// Runs `body`, and cancels it when the time is up. Without a limit, runs `body` to its end.
    ///
    /// Rethrows errors of `body`, and throws ``GetFailure`` with the code `timedOut` when the time is up.
    static func run<R: Sendable>(
        _ limit: Duration?, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        guard let limit else { return try await body() }
        return try await withThrowingTaskGroup(of: R.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)  // reason: this is the time limit itself
                throw GetFailure(
                    code: "timedOut", reason: "the time of --max-time was up before the request",
                    status: .exchangeFailed)
            }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }
}
