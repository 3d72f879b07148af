import ChatWire

/// One call of `handle` while it runs: its time, its identifiers, and the effects so far.
struct Turn {
    let now: ServerMoment
    var identifiers: IdentifierSource
    var effects: [ServerEffect] = []
    /// Frames whose time has come.
    var released: [ServerEffect] = []
    /// What a script may want to know of.
    var happenings: [Happening] = []
    private var writes: [ServerWrite] = []

    init(now: ServerMoment, identifiers: IdentifierSource) {
        self.now = now
        self.identifiers = identifiers
    }

    /// Everything of one turn is committed together, before anything of it is told to anyone.
    mutating func write(_ write: ServerWrite) {
        writes.append(write)
    }

    mutating func send(_ id: ConnectionID, _ frame: ServerFrame) {
        effects.append(.send(id, frame))
    }

    mutating func close(_ id: ConnectionID, _ reason: CloseReason) {
        effects.append(.close(id, reason))
    }

    mutating func note(_ note: ServerNote) {
        effects.append(.note(note))
    }

    /// All effects, as `delivered` leaves those that go out.
    func finished(_ delivered: [ServerEffect]) -> [ServerEffect] {
        writes.isEmpty ? delivered : [.commit(writes)] + delivered
    }
}
