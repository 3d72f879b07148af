import ChatWire

/// One call of `handle` while it runs: its time, its identifiers, and the effects so far.
struct Update {
    let now: ServerMoment
    var identifiers: IdentifierSource
    private var effects: [ServerEffect] = []
    /// Frames whose time has come.
    private var released: [ServerEffect] = []
    /// What a script may want to know of.
    private var happenings: [ScriptEvent] = []
    private var writes: [ServerWrite] = []

    init(now: ServerMoment, identifiers: IdentifierSource) {
        self.now = now
        self.identifiers = identifiers
    }

    /// Everything of one turn is committed together, before anything of it is told to anyone.
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

    /// Sends a frame that waited. Such frames go out before everything else.
    mutating func release(_ frame: ServerFrame, to id: ConnectionID) {
        released.append(.send(id, frame))
    }

    // MARK: Happenings

    /// Remembers something that a script may wait for.
    mutating func happened(_ happening: ScriptEvent) {
        happenings.append(happening)
    }

    /// Takes what happened so far.
    mutating func takeHappenings() -> [ScriptEvent] {
        defer { happenings = [] }
        return happenings
    }

    /// Runs `body` and forgets what happened by it.
    mutating func unobserved(_ body: (inout Update) -> Void) {
        let count = happenings.count
        body(&self)
        happenings.removeSubrange(count...)
    }

    // MARK: Changes of what was decided

    /// Replaces each frame to a connection by other frames.
    mutating func replaceSends(to id: ConnectionID, by change: (ServerFrame) -> [ServerFrame]) {
        effects = effects.flatMap { effect -> [ServerEffect] in
            guard case .send(id, let frame) = effect else { return [effect] }
            return change(frame).map { .send(id, $0) }
        }
    }

    /// Replaces each reply to a frame by other frames.
    mutating func replaceReplies(
        to frame: ClientFrame, on id: ConnectionID, by change: (ServerFrame) -> [ServerFrame]
    ) {
        replaceSends(to: id) { $0.correlationID == frame.correlationID ? change($0) : [$0] }
    }

    /// Returns all effects, as `deliver` leaves those of this turn.
    mutating func finished(
        _ deliver: ([ServerEffect], inout IdentifierSource) -> [ServerEffect]
    ) -> [ServerEffect] {
        let delivered = released + deliver(effects, &identifiers)
        return writes.isEmpty ? delivered : [.commit(writes)] + delivered
    }
}
