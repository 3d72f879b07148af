import NIOCore
import NIOPosix
import Synchronization

/// Tells what becomes of reports, on a thread of its own: whoever is told may block, on a pipe that nobody reads for example,
/// and no request waits for that.
final class EventOutlet: Sendable {
    /// Events that wait at most; further ones are counted.
    static let limit = 1_024

    private let tell: (@Sendable (ReportCollectorEvent) -> Void)?
    private let uptime: @Sendable () -> Int64
    private let thread: NIOThreadPool?
    private let buffer = Mutex(EventBuffer(limit: EventOutlet.limit))

    /// Without a receiver it does nothing, and has no thread.
    init(uptime: @escaping @Sendable () -> Int64, _ tell: (@Sendable (ReportCollectorEvent) -> Void)?) {
        self.tell = tell
        self.uptime = uptime
        thread = tell.map { _ in NIOThreadPool(numberOfThreads: 1) }
        thread?.start()
    }

    /// Has an event told. Returns at once.
    func add(_ event: ReportCollectorEvent) {
        guard tell != nil else { return }
        let now = uptime()
        follow(buffer.withLock { $0.add(event, at: now) })
    }

    /// Tells what is left and ends the thread. A receiver that does not return within `time` is left to itself.
    func finish(within time: Duration) async {
        guard let thread else { return }
        let told = AsyncStream.makeStream(of: Never.self)
        thread.submit {
            if $0 == .active { self.drain(isLast: true) }
            told.continuation.finish()
        }
        let giveUp = MultiThreadedEventLoopGroup.singleton.any()
            .scheduleTask(in: TimeAmount(time)) { told.continuation.finish() }
        for await _ in told.stream {}
        giveUp.cancel()
        // It is not waited for: its one thread may never come back.
        thread.shutdownGracefully { _ in }
    }

    private func follow(_ wake: EventBuffer.Wake) {
        switch wake {
        case .never: return
        case .now: thread?.submit { if $0 == .active { self.drain() } }
        case .later(let nanoseconds):
            MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .nanoseconds(nanoseconds)) {
                self.follow(self.buffer.withLock { $0.timerFired() })
            }
        }
    }

    private func drain(isLast: Bool = false) {
        let now = uptime()
        let (events, wake) = buffer.withLock { $0.take(at: now, isLast: isLast) }
        if let tell { events.forEach(tell) }
        follow(wake)
    }
}
