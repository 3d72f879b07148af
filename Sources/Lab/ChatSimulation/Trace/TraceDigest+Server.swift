import ChatServerCore
import ChatWire

// Adds the events and effects of the server.
extension TraceDigest {
    mutating func add(_ now: Int64, _ event: ServerEvent, _ effects: [ServerEffect]) {
        add(now)
        switch event {
        case .received(let connection, let frame):
            add("received")
            add(connection.number)
            add(frame)
        case .called(let id, _, let caller):
            add("called")
            add(id.number)
            add(caller.token)
            add(caller.deviceAddress)
        case .woke: add("woke")
        case .connected(let connection, let token):
            add(connection.number)
            add(token)
        case .disconnected(let connection):
            add("disconnected")
            add(connection.number)
        case .operatorActed(let action, let clientID):
            add(clientID)
            if case .says(let text) = action { add(text) } else { add("acts") }
        case .accessChanged: add("access")
        default: add(String(describing: event))
        }
        for effect in effects { add(effect) }
    }

    private mutating func add(_ effect: ServerEffect) {
        switch effect {
        case .commit(let writes):
            add("commit")
            for write in writes { add(write) }
        case .send(let connection, let frame):
            add("send")
            add(connection.number)
            add(frame)
        case .close(let connection, let reason):
            add(reason.rawValue)
            add(connection.number)
        case .answer(let id, let answer):
            add("answer")
            add(id.number)
            if case .history(let answer) = answer { add(answer.messages.count) }
        case .note(let note): add(note.rawValue)
        default: add(String(describing: effect))
        }
    }

    private mutating func add(_ write: ServerWrite) {
        switch write {
        case .message(let message), .messageChanged(let message):
            add(message.sequence)
            add(message.uuid)
            add(message.messageID)
            add(message.status.rawValue)
            add(message.content.text)
        case .device(let record): add(record.address)
        case .deviceRemoved(let address): add(address)
        case .client(let record): add(record.clientID)
        default: add(String(describing: write))
        }
    }
}
