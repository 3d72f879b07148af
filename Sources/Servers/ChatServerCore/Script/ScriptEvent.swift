import ChatWire

/// An event that a script can react to.
struct ScriptEvent: Hashable, Sendable {
    var kind: ScriptTrigger.Kind
    var names: [String] = []
    var text: String?
    var clientID: String?
    var connection: ConnectionID?
}

extension ScriptEvent {
    /// Creates the event of a received frame.
    init(_ frame: ClientFrame, on id: ConnectionID, of clientID: String?) {
        var text: String?
        if case .sendMessage(let content, _) = frame.body { text = content.text }
        self.init(
            kind: .frame, names: [frame.action] + (frame.contentType.map { [$0] } ?? []), text: text,
            clientID: clientID, connection: id)
        if case .registerDevice(let registration) = frame.body { self.clientID = registration.clientID }
    }
}
