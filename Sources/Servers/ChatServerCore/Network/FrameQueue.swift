import ChatWire
import DequeModule

/// What goes wrong between a decision and the wire: frames that are lost, late, repeated, or in another order.
struct FrameQueue: Hashable, Sendable {
    /// How bad the network is at the moment.
    var conditions = NetworkConditions.perfect
    /// Frames that wait, sorted by time.
    private var held: Deque<HeldFrame> = []
    /// The largest number of frames that wait at a time.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// When the next frame has to be sent, on the monotonic clock.
    var nextDue: Int64? { held.first?.due }

    /// Returns the effects as the network leaves them. In a perfect one, with no frame waiting, they are the same.
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
                // A polite end comes after what was sent before; a broken network loses those frames.
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

    /// Keeps a frame for later. Returns `false` when too many wait already.
    mutating func hold(_ frame: HeldFrame) -> Bool {
        guard held.count < limit else { return false }
        held.insert(frame, at: held.firstIndex { $0.due > frame.due } ?? held.endIndex)
        return true
    }

    /// Forgets the frames of a connection that has ended.
    mutating func forget(_ id: ConnectionID) {
        if held.contains(where: { $0.connection == id }) { held.removeAll { $0.connection == id } }
    }

    /// Takes the push that waited to be overtaken.
    mutating func takeSwapped(for id: ConnectionID) -> ServerFrame? {
        guard let index = held.firstIndex(where: { $0.connection == id && $0.isSwapped }) else { return nil }
        return held.remove(at: index).frame
    }

    /// Takes the frames whose time has come, in order. They have been through the network already.
    mutating func takeDue(at now: Int64) -> [HeldFrame] {
        var due: [HeldFrame] = []
        while let next = held.first, next.due <= now {
            held.removeFirst()
            due.append(next)
        }
        return due
    }

    /// Holds a frame back if the network is slow, or if one before it still waits.
    private mutating func holdInOrder(_ frame: ServerFrame, for id: ConnectionID, _ now: Int64) -> Bool {
        let last = held.last { $0.connection == id && $0.keepsOrder }?.due
        guard conditions.latency > 0 || last != nil else { return false }
        let due = max(now.addingClamped(conditions.latency), last ?? .min)
        return hold(HeldFrame(due: due, connection: id, frame: frame, keepsOrder: true))
    }

    /// Takes what waits for a connection, in order.
    private mutating func take(for id: ConnectionID) -> [HeldFrame] {
        let mine = held.filter { $0.connection == id }
        forget(id)
        return Array(mine)
    }
}

extension Int64 {
    /// The sum, or the largest number.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
