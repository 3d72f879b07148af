import ChatWire

/// The planned faults that have not happened yet. Each one happens once; of those that fit, the earliest planned is first.
struct FaultPlan: Hashable, Sendable {
    private var faults: [ServerFault] = []
    /// The largest number of faults that are planned at a time.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of planned faults.
    var count: Int { faults.count }

    /// Plans faults. Returns `false`, and plans none of them, when there is no room for all.
    mutating func add(_ more: [ServerFault]) -> Bool {
        guard faults.count + more.count <= limit else { return false }
        faults += more
        return true
    }

    /// Uses up the fault that a frame meets, if any.
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

    /// Uses up a planned fault. Returns `false` when it is not planned.
    mutating func take(_ fault: ServerFault) -> Bool {
        guard let index = faults.firstIndex(of: fault) else { return false }
        faults.remove(at: index)
        return true
    }

    /// Uses up the planned failure of a call, if any, and returns the answer that the call gets.
    mutating func takeFailure(of name: CallName) -> ServerAnswer? {
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

    /// Uses up the planned delay of a call, if any. Returns nanoseconds.
    mutating func takeDelay(of name: CallName) -> Int64 {
        let index = faults.firstIndex { fault in
            if case .delayCall(let wanted, _) = fault { wanted == nil || wanted == name } else { false }
        }
        guard let index, case .delayCall(_, let delay) = faults.remove(at: index) else { return 0 }
        return delay
    }

    /// Decides what becomes of an upgrade. Tokens are checked later, when there are frames to say what is wrong with them.
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
}
