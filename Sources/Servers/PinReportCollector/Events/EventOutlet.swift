import NIOCore
import NIOPosix
import Synchronization

/// Delivers events on a separate thread, so that a blocking receiver, such as a full pipe, does not delay requests.
final class EventOutlet: Sendable {
    /// The maximum number of waiting events; further ones are counted as dropped.
    static let limit = 1_024

    /// Counts all events, also those that are dropped.
    let counters = CollectorCounters()
    private let tell: (@Sendable (ReportCollectorEvent) -> Void)?
    private let uptime: @Sendable () -> Int64
    private let thread: NIOThreadPool?
    private let buffer = Mutex(EventBuffer(limit: EventOutlet.limit))

    /// Creates an outlet. Without a receiver it does nothing and has no thread.
    init(uptime: @escaping @Sendable () -> Int64, _ tell: (@Sendable (ReportCollectorEvent) -> Void)?) {
        self.tell = tell
        self.uptime = uptime
        thread = tell.map { _ in NIOThreadPool(numberOfThreads: 1) }
        thread?.start()
    }

    /// Adds an event for delivery. Returns immediately.
    func add(_ event: ReportCollectorEvent) {
        counters.count(event)
        guard tell != nil else { return }
        let now = uptime()
        follow(buffer.withLock { $0.add(event, at: now) })
    }

    /// Delivers the remaining events and ends the thread. Does not wait longer than `time` for the receiver.
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
        // Does not wait, because the thread may be blocked forever.
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
