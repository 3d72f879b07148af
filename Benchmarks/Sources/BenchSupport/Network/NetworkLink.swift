import DequeModule
import NIOCore

/// One direction of a simulated link, shared by all connections of a ``Relay``. Used on the relay's event loop only.
///
/// The link does not store bytes. It calculates when its queue is empty, and so when the next segment has passed.
final class NetworkLink {
    /// The bytes of a segment, as on an Ethernet with TCP timestamps.
    static let segment = 1448

    private let rate: Int?
    private let queue: Int
    private let loop: any EventLoop
    /// The time at which all queued bytes have passed.
    private var emptyAt = NIODeadline.now()
    private var waiters: Deque<() -> Void> = []
    private var isTimerSet = false

    init(_ profile: NetworkProfile, on loop: any EventLoop) {
        rate = profile.rate.map { max(1, $0) }
        queue = max(Self.segment, profile.queue)
        self.loop = loop
    }

    /// The maximum number of bytes for one call of ``transmit(_:)``.
    var portion: Int { rate == nil ? .max : Self.segment }

    /// Whether a sender may transmit now: the queue has room, and no other sender waits.
    var isFree: Bool { waiters.isEmpty && hasRoom }

    /// Adds bytes to the queue. Returns the time at which they have passed.
    func transmit(_ bytes: Int) -> NIODeadline {
        let now = NIODeadline.now()
        guard let rate else { return now }
        emptyAt = max(now, emptyAt) + .nanoseconds(Self.nanoseconds(bytes, rate))
        return emptyAt
    }

    /// Calls `body` once, when the queue has room. Senders take turns.
    func wait(_ body: @escaping () -> Void) {
        waiters.append(body)
        setTimer()
    }

    private var hasRoom: Bool {
        guard let rate else { return true }
        return emptyAt - .now() < .nanoseconds(Self.nanoseconds(queue, rate))
    }

    private func setTimer() {
        guard let rate, !isTimerSet, !waiters.isEmpty else { return }
        isTimerSet = true
        // One segment less than the whole queue, so that there is room when the timer fires.
        let roomAt = emptyAt - .nanoseconds(Self.nanoseconds(queue - Self.segment, rate))
        let link = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(deadline: roomAt) { link.value.wake() }
    }

    private func wake() {
        isTimerSet = false
        while hasRoom, let waiter = waiters.popFirst() { waiter() }
        setTimer()
    }

    private static func nanoseconds(_ bytes: Int, _ rate: Int) -> Int64 {
        let nanoseconds = Double(bytes) / Double(rate) * 1e9
        return Int64(min(nanoseconds, 1e15))
    }
}
