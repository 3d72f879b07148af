import ChatWire

/// What a change of one client's conversation leads to.
enum ConversationAction: Hashable, Sendable {
    /// Store this.
    case write(ServerWrite)
    /// Send this to the client's sockets: to those whose protocol version knows it, or to all if it is raw.
    case push(DeliveredMessage, isRaw: Bool)
    /// Tell the client's sockets how far the client's messages came.
    case tell([StatusChange])
    /// Show this to the script.
    case happened(ScriptEvent)
}

/// One event of one client's conversation: its time, its identifiers, and the actions so far.
struct ConversationTurn {
    let now: ServerMoment
    /// Whether one of the client's sockets is there to be told.
    let isListening: Bool
    private(set) var identifiers: IdentifierSource
    private(set) var actions: [ConversationAction] = []

    init(now: ServerMoment, isListening: Bool, identifiers: IdentifierSource) {
        self.now = now
        self.isListening = isListening
        self.identifiers = identifiers
    }

    mutating func uuid() -> String { identifiers.uuid() }

    mutating func write(_ write: ServerWrite) {
        actions.append(.write(write))
    }

    mutating func push(_ message: DeliveredMessage, isRaw: Bool = false) {
        actions.append(.push(message, isRaw: isRaw))
    }

    mutating func tell(_ changes: [StatusChange]) {
        actions.append(.tell(changes))
    }

    mutating func happened(_ kind: ScriptTrigger.Kind, to clientID: String) {
        actions.append(.happened(ScriptEvent(kind: kind, clientID: clientID)))
    }
}
