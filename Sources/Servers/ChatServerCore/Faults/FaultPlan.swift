import ChatWire

/// The planned faults that have not happened yet. Each happens once; if several match, the earliest planned one happens
/// first.
struct FaultPlan: Hashable, Sendable {
    private var faults: [ServerFault] = []
    /// The maximum number of planned faults.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of planned faults.
    var count: Int { faults.count }

    /// Plans faults. Returns `false`, and plans none, if they exceed the limit.
    mutating func add(_ more: [ServerFault]) -> Bool {
        guard faults.count + more.count <= limit else { return false }
        faults += more
        return true
    }

    /// Takes the fault that applies to a frame, if any.
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

    /// Takes a planned fault. Returns `false` if it is not planned.
    mutating func take(_ fault: ServerFault) -> Bool {
        guard let index = faults.firstIndex(of: fault) else { return false }
        faults.remove(at: index)
        return true
    }

    /// Takes the planned failure of a call, if any, and returns the call's answer.
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

    /// Takes the planned delay of a call, if any. Returns nanoseconds.
    mutating func takeDelay(of name: CallName) -> Int64 {
        let index = faults.firstIndex { fault in
            if case .delayCall(let wanted, _) = fault { wanted == nil || wanted == name } else { false }
        }
        guard let index, case .delayCall(_, let delay) = faults.remove(at: index) else { return 0 }
        return delay
    }

    /// Decides whether an upgrade is granted. Tokens are checked later, when a frame can report an error.
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
