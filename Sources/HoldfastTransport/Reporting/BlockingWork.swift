import NIOPosix

/// Runs what blocks where it may.
enum BlockingWork {
    /// Runs `work` on NIO's pool of threads for files, to its end: cancellation does not keep it from being done, since what it
    /// does is to be on the disk.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: work()) }
        }
    }
}
