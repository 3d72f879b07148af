public import NIOCore

/// Runs tasks on one event loop.
///
/// For tools and servers that do little but send requests: a task that runs on the event loop of its connection waits for
/// no other thread to wake up. Prefer it for the tasks that send; whatever they do otherwise holds the loop up, so none of
/// it may block or compute for long.
///
/// ```swift
/// let executor = EventLoopTaskExecutor(MultiThreadedEventLoopGroup.singleton.any())
/// try await withTaskExecutorPreference(executor) {
///     try await client.collect(request, upTo: 1 << 20)
/// }
/// ```
/// It holds no resource. The event loop must outlive the tasks: one that is enqueued on a loop that has been shut down
/// never runs.
public final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    /// Makes an executor for an event loop.
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs a job in a later turn of the event loop. Called by the runtime, on any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
