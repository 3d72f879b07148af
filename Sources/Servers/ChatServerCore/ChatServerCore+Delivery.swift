import ChatWire
import DequeModule
import OrderedCollections

/// What goes wrong between a decision and the wire: frames that are lost, late, repeated, or in another order.
extension ChatServerCore {
    /// Nanoseconds that a push waits at most to be overtaken by the next.
    package static let longestSwap: Int64 = 5_000_000_000

    /// The effects as the network leaves them. In a perfect one, with nothing held back, they are the same.
    mutating func deliver(_ effects: [ServerEffect], _ turn: inout Turn) -> [ServerEffect] {
        guard network != .perfect || !held.isEmpty else { return effects }
        var result: [ServerEffect] = []
        for effect in effects {
            switch effect {
            case .send(let id, let frame):
                if turn.identifiers.draws(percent: network.lossPercent) {
                    result.append(.note(.lost))
                    continue
                }
                let isRepeated =
                    frame.correlationID == nil && turn.identifiers.draws(percent: network.duplicatePercent)
                for _ in 0..<(isRepeated ? 2 : 1) where !holdInOrder(frame, for: id, turn.now) { result.append(effect) }
            case .close(let id, let reason):
                // A polite end comes behind what was said before; a broken network takes that with it.
                if reason != .fault { result += takeHeld(for: id).map { .send(id, $0.frame) } } else { forgetHeld(id) }
                result.append(effect)
            case .hangUp(let id, _, _):
                result += takeHeld(for: id).map { .send(id, $0.frame) }
                result.append(effect)
            default:
                result.append(effect)
            }
        }
        return result
    }

    /// Holds a frame back if the network is slow, or if one before it is still on its way.
    private mutating func holdInOrder(_ frame: ServerFrame, for id: ConnectionID, _ now: ServerMoment) -> Bool {
        let last = held.last { $0.connection == id && $0.keepsOrder }?.due
        guard network.latency > 0 || last != nil else { return false }
        let due = max(now.monotonic.addingClamped(network.latency), last ?? .min)
        return hold(HeldFrame(due: due, connection: id, frame: frame, keepsOrder: true))
    }

    /// Keeps a frame for later; `false` when too many wait already.
    mutating func hold(_ frame: HeldFrame) -> Bool {
        guard held.count < settings.limits.heldFrames else { return false }
        held.insert(frame, at: held.firstIndex { $0.due > frame.due } ?? held.endIndex)
        return true
    }

    /// Takes what waits for a connection, in order.
    private mutating func takeHeld(for id: ConnectionID) -> [HeldFrame] {
        let mine = held.filter { $0.connection == id }
        forgetHeld(id)
        return Array(mine)
    }

    mutating func forgetHeld(_ id: ConnectionID) {
        if held.contains(where: { $0.connection == id }) { held.removeAll { $0.connection == id } }
    }

    /// Takes the push that waited to be overtaken.
    mutating func takeSwapped(for id: ConnectionID) -> ServerFrame? {
        guard let index = held.firstIndex(where: { $0.connection == id && $0.isSwapped }) else { return nil }
        return held.remove(at: index).frame
    }

    /// Sends what is due. It has been through the network already.
    mutating func releaseHeld(_ now: ServerMoment) -> [ServerEffect] {
        var effects: [ServerEffect] = []
        while let next = held.first, next.due <= now.monotonic {
            held.removeFirst()
            if connections[next.connection] != nil { effects.append(.send(next.connection, next.frame)) }
        }
        return effects
    }
}

extension Int64 {
    /// The sum, or the largest number.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
