import ChatWire
import DequeModule

/// Simulates the network: drops, delays, repeats and reorders frames before they are sent.
struct FrameQueue: Hashable, Sendable {
    /// The current network conditions.
    var conditions = NetworkConditions.perfect
    /// The waiting frames, sorted by time.
    private var held: Deque<HeldFrame> = []
    /// The maximum number of waiting frames.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// When the next frame is due, on the monotonic clock.
    var nextDue: Int64? { held.first?.due }

    /// Returns the effects after applying the network conditions. With perfect conditions and no waiting frame, they
    /// are unchanged.
    mutating func deliver(
        _ effects: [ServerEffect], at now: Int64, _ identifiers: inout IdentifierSource
    ) -> [ServerEffect] {
        guard conditions != .perfect || !held.isEmpty else { return effects }
        var result: [ServerEffect] = []
        for effect in effects {
            switch effect {
            case .send(let id, let frame):
                if identifiers.draws(percent: conditions.lossPercent) {
                    result.append(.note(.lost))
                    continue
                }
                let isRepeated = frame.correlationID == nil && identifiers.draws(percent: conditions.duplicatePercent)
                for _ in 0..<(isRepeated ? 2 : 1) where !holdInOrder(frame, for: id, now) { result.append(effect) }
            case .close(let id, let reason):
                // A regular close follows the frames sent before it; a broken network loses them.
                if reason != .fault { result += take(for: id).map { .send(id, $0.frame) } } else { forget(id) }
                result.append(effect)
            case .hangUp(let id, _, _):
                result += take(for: id).map { .send(id, $0.frame) }
                result.append(effect)
            default:
                result.append(effect)
            }
        }
        return result
    }

    /// Adds a waiting frame. Returns `false` if the limit is reached.
    mutating func hold(_ frame: HeldFrame) -> Bool {
        guard held.count < limit else { return false }
        held.insert(frame, at: held.firstIndex { $0.due > frame.due } ?? held.endIndex)
        return true
    }

    /// Removes the frames of a closed connection.
    mutating func forget(_ id: ConnectionID) {
        if held.contains(where: { $0.connection == id }) { held.removeAll { $0.connection == id } }
    }

    /// Takes the push that waits to be overtaken.
    mutating func takeSwapped(for id: ConnectionID) -> ServerFrame? {
        guard let index = held.firstIndex(where: { $0.connection == id && $0.isSwapped }) else { return nil }
        return held.remove(at: index).frame
    }

    /// Takes the frames that are due, in order. The network conditions were already applied to them.
    mutating func takeDue(at now: Int64) -> [HeldFrame] {
        var due: [HeldFrame] = []
        while let next = held.first, next.due <= now {
            held.removeFirst()
            due.append(next)
        }
        return due
    }

    /// Delays a frame if the network is slow, or if an earlier frame still waits.
    private mutating func holdInOrder(_ frame: ServerFrame, for id: ConnectionID, _ now: Int64) -> Bool {
        let last = held.last { $0.connection == id && $0.keepsOrder }?.due
        guard conditions.latency > 0 || last != nil else { return false }
        let due = max(now.addingClamped(conditions.latency), last ?? .min)
        return hold(HeldFrame(due: due, connection: id, frame: frame, keepsOrder: true))
    }

    /// Takes the frames that wait for a connection, in order.
    private mutating func take(for id: ConnectionID) -> [HeldFrame] {
        let mine = held.filter { $0.connection == id }
        forget(id)
        return Array(mine)
    }
}

extension Int64 {
    /// Returns the sum, clamped to the largest number.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}

/// A frame that waits to be sent.
struct HeldFrame: Hashable, Sendable {
    /// When the frame is sent, on the monotonic clock.
    var due: Int64
    var connection: ConnectionID
    var frame: ServerFrame
    /// Whether later frames must wait for this one.
    var keepsOrder: Bool
    /// Whether the next push over the same connection releases the frame.
    var isSwapped = false
}
