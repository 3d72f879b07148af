import NIOPosix

/// Runs what blocks on NIO's threads for that: never on an event loop, nor on one of the few threads of Swift's pool.
package enum Blocking {
    /// Runs `body` to its end, in a cancelled task too: what tidies up has to run there most of all. Whatever takes long looks
    /// for cancellation itself.
    package static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            NIOThreadPool.singleton.submit { state in
                switch state {
                case .active: continuation.resume(with: Result(catching: body))
                // The threads end with the process alone.
                case .cancelled: continuation.resume(throwing: CancellationError())
                }
            }
        }
    }

    /// The same for what does not fail.
    package static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            // In whatever state: what it does is to be on the disk.
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: body()) }
        }
    }
}
