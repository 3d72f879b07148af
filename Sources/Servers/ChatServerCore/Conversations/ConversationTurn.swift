import ChatWire

/// The handling of one event of a client's conversation: its time, its identifiers, and the actions so far.
struct ConversationTurn {
    let now: ServerMoment
    /// Whether one of the client's sockets can receive messages.
    let isListening: Bool
    private(set) var identifiers: IdentifierSource
    private(set) var actions: [ConversationAction] = []

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

/// An action that results from a change of a client's conversation.
enum ConversationAction: Hashable, Sendable {
    /// Stores this.
    case write(ServerWrite)
    /// Sends this to the client's sockets: to those whose protocol version supports it, or to all if it is raw.
    case push(DeliveredMessage, isRaw: Bool)
    /// Reports the delivery status of the client's messages to the client's sockets.
    case tell([StatusChange])
    /// Passes this event to the script.
    case happened(ScriptEvent)
}
