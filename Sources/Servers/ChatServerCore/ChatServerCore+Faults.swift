import ChatWire
import OrderedCollections

extension ChatServerCore {
    /// The planned fault that a frame meets, if any; it is used up.
    mutating func takeFault(for frame: ClientFrame) -> ServerFault? {
        for index in faults.indices {
            switch faults[index] {
            case .cut(let frames) where frames <= 0:
                return faults.remove(at: index)
            case .cut(let frames):
                faults[index] = .cut(afterFrames: frames - 1)
            case let fault where fault.concerns(frame):
                return faults.remove(at: index)
            default:
                continue
            }
        }
        return nil
    }

    /// Uses up a planned fault.
    mutating func takeFault(_ fault: ServerFault) -> Bool {
        guard let index = faults.firstIndex(of: fault) else { return false }
        faults.remove(at: index)
        return true
    }

    /// Plans faults; `false` when there is no room for them.
    mutating func plan(_ more: [ServerFault]) -> Bool {
        guard faults.count + more.count <= settings.limits.faults else { return false }
        faults += more
        return true
    }

    /// The planned failure of a call, if any; it is used up.
    mutating func takeCallFault(_ name: CallName) -> ServerAnswer? {
        for index in faults.indices {
            switch faults[index] {
            case .failCall(let status, let failure):
                faults.remove(at: index)
                return .failure(status: status, failure)
            case .refuseCall(let wanted, let status, let failure, let retryAfter)
            where wanted == nil || wanted == name:
                faults.remove(at: index)
                guard let retryAfter else { return .failure(status: status, failure) }
                return .refused(status: status, failure, retryAfter: retryAfter)
            default: continue
            }
        }
        return nil
    }

    /// How much later than decided a call is answered.
    mutating func takeDelay(of name: CallName) -> Int64 {
        let index = faults.firstIndex { fault in
            if case .delayCall(let wanted, _) = fault { wanted == nil || wanted == name } else { false }
        }
        guard let index, case .delayCall(_, let delay) = faults.remove(at: index) else { return network.latency }
        return delay.addingClamped(network.latency)
    }

    /// What becomes of an upgrade. Tokens are looked at later, when there are frames to say what is wrong with them.
    mutating func decideOnUpgrade() -> UpgradeDecision {
        for index in faults.indices {
            switch faults[index] {
            case .ignoreUpgrade:
                faults.remove(at: index)
                return .ignore
            case .refuseUpgrade(let refusal):
                faults.remove(at: index)
                return .refuse(refusal)
            default: continue
            }
        }
        return .accept
    }

    /// What a fault does to the reply of a frame that has taken effect.
    mutating func spoilReply(to frame: ClientFrame, on id: ConnectionID, by fault: ServerFault, _ turn: inout Turn) {
        switch fault {
        case .cutBeforeReply where connections[id] != nil:
            turn.effects.removeAll { $0.isSend(to: id) }
            close(id, .fault, &turn)
        case .withhold:
            turn.effects.removeAll { $0.isReply(to: frame, on: id) }
        case .delayReply(_, let nanoseconds):
            let due = turn.now.monotonic.addingClamped(max(0, nanoseconds))
            turn.effects = turn.effects.filter { effect in
                guard effect.isReply(to: frame, on: id), case .send(_, let reply) = effect else { return true }
                return !hold(HeldFrame(due: due, connection: id, frame: reply, keepsOrder: false))
            }
        case .repeatReply:
            turn.effects = turn.effects.flatMap { $0.isReply(to: frame, on: id) ? [$0, $0] : [$0] }
        default: break
        }
    }
}

extension ServerEffect {
    fileprivate func isSend(to id: ConnectionID) -> Bool {
        if case .send(id, _) = self { true } else { false }
    }

    fileprivate func isReply(to frame: ClientFrame, on id: ConnectionID) -> Bool {
        if case .send(id, let reply) = self { reply.correlationID == frame.correlationID } else { false }
    }
}
