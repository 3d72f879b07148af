import ChatWire
import HoldfastBase

/// One call of `handle` in progress: its time, its identifiers, and the effects so far.
struct ServerTurn {
    let now: ServerMoment
    var identifiers: IdentifierSource
    private var effects: [ServerEffect] = []
    /// Frames that are due.
    private var released: [ServerEffect] = []
    /// Events for the script.
    private var happenings: [ScriptEvent] = []
    /// The writes so far, in order.
    private(set) var writes: [ServerWrite] = []

    init(now: ServerMoment, identifiers: IdentifierSource) {
        self.now = now
        self.identifiers = identifiers
    }

    /// Adds a write. All writes of a turn are committed together, before any client is told.
    mutating func write(_ write: ServerWrite) {
        writes.append(write)
    }

    mutating func add(_ effect: ServerEffect) {
        effects.append(effect)
    }

    mutating func send(_ id: ConnectionID, _ frame: ServerFrame) {
        effects.append(.send(id, frame))
    }

    mutating func note(_ note: ServerNote) {
        effects.append(.note(note))
    }

    /// Replies to a client's frame.
    mutating func reply(to frame: ClientFrame, on id: ConnectionID, _ body: ServerFrame.Body) {
        send(id, ServerFrame(body, correlationID: frame.correlationID))
    }

    /// Replies to a client's frame with a failure.
    mutating func fail(_ frame: ClientFrame, on id: ConnectionID, _ failure: ErrorAnswer) {
        reply(to: frame, on: id, .failure(action: frame.action, failure))
    }

    /// Sends a frame that waited. Such frames are sent before all others.
    mutating func release(_ frame: ServerFrame, to id: ConnectionID) {
        released.append(.send(id, frame))
    }

    // MARK: Script events

    /// Records an event for the script.
    mutating func happened(_ happening: ScriptEvent) {
        happenings.append(happening)
    }

    /// Takes the recorded events.
    mutating func takeHappenings() -> [ScriptEvent] {
        defer { happenings = [] }
        return happenings
    }

    /// Runs `body` and discards the events that it records.
    mutating func unobserved(_ body: (inout ServerTurn) -> Void) {
        let count = happenings.count
        body(&self)
        happenings.removeSubrange(count...)
    }

    // MARK: Changing effects

    /// Replaces each frame to a connection with other frames.
    mutating func replaceSends(to id: ConnectionID, by change: (ServerFrame) -> [ServerFrame]) {
        effects = effects.flatMap { effect -> [ServerEffect] in
            guard case .send(id, let frame) = effect else { return [effect] }
            return change(frame).map { .send(id, $0) }
        }
    }

    /// Replaces each reply to a frame with other frames.
    mutating func replaceReplies(
        to frame: ClientFrame, on id: ConnectionID, by change: (ServerFrame) -> [ServerFrame]
    ) {
        replaceSends(to: id) { $0.correlationID == frame.correlationID ? change($0) : [$0] }
    }

    /// Returns all effects, with those of this turn changed by `deliver`.
    mutating func finished(
        _ deliver: ([ServerEffect], inout IdentifierSource) -> [ServerEffect]
    ) -> [ServerEffect] {
        let delivered = released + deliver(effects, &identifiers)
        return writes.isEmpty ? delivered : [.commit(writes)] + delivered
    }
}

/// Derives any number of identifiers from the random number of a turn.
struct IdentifierSource {
    private var numbers: SplitMix64

    init(entropy: UInt64) {
        numbers = SplitMix64(seed: entropy)
    }

    /// Returns `true` with a probability in percent. For 0 percent, no random number is used.
    mutating func draws(percent: Int64) -> Bool {
        percent > 0 && numbers.next() % 100 < UInt64(percent)
    }

    /// Returns 128 bits as 32 hexadecimal digits.
    mutating func hexadecimal() -> String { numbers.hexadecimal() }

    /// Returns the text form of a version 4 UUID.
    mutating func uuid() -> String { numbers.uuid() }
}
