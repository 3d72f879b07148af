public import NIOCore

/// A task executor that runs tasks on one event loop.
///
/// Use it in tools and servers that mostly send requests. A task on its connection's event loop does not wait for
/// another thread to wake up. Use it only for the tasks that send: their other work delays the event loop, so they must
/// not block or compute for long.
///
/// ```swift
/// let executor = EventLoopTaskExecutor(MultiThreadedEventLoopGroup.singleton.any())
/// try await withTaskExecutorPreference(executor) {
///     try await client.collect(request, upTo: 1 << 20)
/// }
/// ```
/// The executor holds no resources. The event loop must outlive the tasks: a task that is enqueued on a loop after its
/// shutdown never runs.
public final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    /// Makes an executor for an event loop.
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs a job in a later turn of the event loop. Called by the Swift runtime on any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
