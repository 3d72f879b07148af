import NIOPosix

/// Runs what blocks on NIO's threads for that: never on an event loop, nor on one of the few threads of Swift's pool.
package enum Blocking {
    /// Runs `body` to its end, in a cancelled task too: what tidies up has to run there most of all. Whatever takes long looks
    /// for cancellation itself.
    package static func run<R: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> R
    ) async throws(Failure) -> R {
        let result: Result<R, Failure> = await withCheckedContinuation { continuation in
            // In whatever state of the pool, whose threads end with the process: what it does is to be on the disk.
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}
