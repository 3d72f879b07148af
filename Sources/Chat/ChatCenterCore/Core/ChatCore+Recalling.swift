import ChatWire

// What the window does not hold any more, and the server sends again: the store knows it.
extension ChatCore {
    /// The names of items that come with an event, and that only the store may know. Empty as long as the store has no
    /// more than is in memory. The driver reads these rows, and hands them in as `recalled` before the event.
    package func namesToRecall(for event: ChatEvent) -> [String] {
        guard session.isAuthorized, window.storeHasOlder else { return [] }
        let items: [Incoming]
        switch event {
        case .network(.received(let generation, let frame)):
            guard generation == socket.live, case .messages(let messages) = frame.body else { return [] }
            items = messages.map { Incoming($0, createdAt: frame.createdAt) }
        case .network(.answered(_, .success(.history(let answer)))):
            items = answer.messages.map { Incoming($0) }
        default: return []
        }
        return items.flatMap { item -> [String] in
            let item = item.bounded.0
            guard window[item.id] == nil else { return [] }
            return [item.id.text] + (item.serverID.map { [$0] } ?? [])
        }
    }

    /// What the store knows of an item that is not in memory.
    func recalled(_ item: Incoming) -> StoredMessage? {
        recalled.first { $0.id == item.id || ($0.serverID != nil && $0.serverID == item.serverID) }
    }

    /// Takes over a change to a message, wherever it is held.
    mutating func hold(_ message: StoredMessage) {
        guard window[message.id] == nil, let index = recalled.firstIndex(where: { $0.id == message.id }) else {
            window.save(message)
            return
        }
        // In memory it would stand beside messages from which it is divided by others that are not there.
        recalled[index] = message
    }
}
