import NIOPosix

/// Runs blocking work on NIO's thread pool, never on an event loop or a thread of Swift's cooperative pool.
package enum Blocking {
    /// Runs `body` to completion, also in a cancelled task, because cleanup work must still run. Long-running bodies
    /// check for cancellation themselves.
    package static func run<R: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> R
    ) async throws(Failure) -> R {
        let result: Result<R, Failure> = await withCheckedContinuation { continuation in
            // Runs in any state of the pool, because the work must complete, for example a write to the disk. The
            // pool's threads end only with the process.
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}
