/// A state machine for one direction of a proxied connection. It decides what happens to the bytes.
struct FaultStream {
    /// An action for the driver.
    enum Step {
        case forward([UInt8])
        case close
        case reset
        case halfClose
        /// Wait for the trigger, then call ``FaultStream/released()``.
        case hold(Trigger)
    }

    private var faults: ArraySlice<InjectedFault>
    private var passed = 0
    private var waiting: [UInt8] = []
    private var isHeld = false
    /// Whether the direction has ended. No further bytes are forwarded.
    private(set) var isOver = false
    /// The turnstile that each further byte must pass.
    private var turnstile: Turnstile?
    /// Whether the first waiting byte is held at the turnstile.
    private var isAtTurnstile = false
    private var hasPassed = false
    /// Whether the sender has ended its stream. The end is forwarded after the waiting bytes.
    private var isEnding = false

    init(_ faults: [InjectedFault]) {
        self.faults = faults[...]
    }

    /// Handles received bytes.
    mutating func take(_ bytes: [UInt8]) -> [Step] {
        waiting += bytes
        return isHeld ? [] : steps()
    }

    /// Handles the end of the sender's stream. It is forwarded after all bytes that are held back.
    mutating func end() -> [Step] {
        isEnding = true
        return isHeld ? [] : steps()
    }

    /// Continues after the trigger of the last hold has fired.
    mutating func released() -> [Step] {
        isHeld = false
        hasPassed = isAtTurnstile
        isAtTurnstile = false
        return steps()
    }

    private mutating func steps() -> [Step] {
        var steps: [Step] = []
        while !isOver, !isHeld, let step = next() { steps.append(step) }
        return steps
    }

    /// Returns the next step; `nil` if more bytes are necessary.
    private mutating func next() -> Step? {
        if let fault = faults.first, fault.offset <= passed, let step = perform(fault) { return step }
        if let fault = faults.first, fault.offset <= passed, !isEnding { return nil }
        guard !waiting.isEmpty else {
            guard isEnding else { return nil }
            isOver = true
            return .halfClose
        }
        let untilFault = faults.first.map { $0.offset - passed } ?? .max
        guard let turnstile else { return forward(min(waiting.count, max(1, untilFault))) }
        guard hasPassed else {
            isHeld = true
            isAtTurnstile = true
            return .hold(turnstile.next())
        }
        hasPassed = false
        return forward(1)
    }

    /// Applies a fault at the current offset. Returns `nil` if the affected bytes have not arrived.
    private mutating func perform(_ fault: InjectedFault) -> Step? {
        let concerned =
            switch fault.kind {
            case .corrupt: 1
            case .duplicate(let count), .drop(let count): count
            case .close, .reset, .halfClose, .inject, .signal, .hold, .drip: 0
            }
        guard waiting.count >= concerned else { return nil }
        faults.removeFirst()
        switch fault.kind {
        case .close:
            isOver = true
            return .close
        case .reset:
            isOver = true
            return .reset
        case .halfClose:
            isOver = true
            return .halfClose
        case .inject(let bytes):
            return .forward(bytes)
        case .corrupt(let mask):
            waiting[0] ^= mask
            return forward(1)
        case .duplicate(let count):
            return .forward(Array(waiting.prefix(count)))
        case .drop(let count):
            waiting.removeFirst(count)
            passed += count
            return .forward([])
        case .signal(let trigger):
            trigger.fire()
            return .forward([])
        case .hold(let trigger):
            isHeld = true
            return .hold(trigger)
        case .drip(let turnstile):
            self.turnstile = turnstile
            return .forward([])
        }
    }

    private mutating func forward(_ count: Int) -> Step {
        defer {
            waiting.removeFirst(count)
            passed += count
        }
        return .forward(Array(waiting.prefix(count)))
    }
}
