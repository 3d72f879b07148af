/// One direction of a proxied connection, as a value: what becomes of the bytes.
struct FaultStream {
    /// What the driver has to do.
    enum Step {
        case forward([UInt8])
        case close
        case reset
        case halfClose
        /// Wait, then ask for the rest with no new bytes.
        case hold(Trigger)
    }

    private var faults: ArraySlice<Fault>
    private var passed = 0
    private var waiting: [UInt8] = []
    private var isHeld = false
    private var isOver = false

    init(_ faults: [Fault]) {
        self.faults = faults[...]
    }

    /// Takes what has arrived.
    mutating func take(_ bytes: [UInt8]) -> [Step] {
        waiting += bytes
        return isHeld ? [] : steps()
    }

    /// The trigger of the last hold has fired.
    mutating func released() -> [Step] {
        isHeld = false
        return steps()
    }

    private mutating func steps() -> [Step] {
        var steps: [Step] = []
        while !isOver, !isHeld {
            guard let fault = faults.first, fault.offset <= passed + waiting.count else {
                if !waiting.isEmpty { steps.append(forward(waiting.count)) }
                return steps
            }
            if fault.offset > passed { steps.append(forward(fault.offset - passed)) }
            faults.removeFirst()
            switch fault.kind {
            case .close: steps.append(.close)
            case .reset: steps.append(.reset)
            case .halfClose: steps.append(.halfClose)
            case .inject(let bytes): steps.append(.forward(bytes))
            case .hold(let trigger):
                isHeld = true
                steps.append(.hold(trigger))
            }
            switch fault.kind {
            case .close, .reset, .halfClose: isOver = true
            case .inject, .hold: break
            }
        }
        return steps
    }

    private mutating func forward(_ count: Int) -> Step {
        defer {
            waiting.removeFirst(count)
            passed += count
        }
        return .forward(Array(waiting.prefix(count)))
    }
}
