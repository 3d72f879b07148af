import ChatServerCore

extension ServerSnapshot {
    /// Applies a write, as a store does.
    mutating func apply(_ write: ServerWrite) {
        switch write {
        case .client(let record):
            if let index = clients.firstIndex(where: { $0.clientID == record.clientID }) {
                clients[index] = record
            } else {
                clients.append(record)
            }
        case .device(let record):
            devices.removeAll { $0.address == record.address }
            devices.append(record)
        case .deviceRemoved(let address):
            devices.removeAll { $0.address == address }
        case .message(let message):
            messages.append(message)
        case .messageChanged(let message):
            if let index = messages.firstIndex(where: { $0.sequence == message.sequence }) {
                messages[index] = message
            }
        case .messagesRemoved(let clientID, let through):
            messages.removeAll { $0.clientID == clientID && $0.sequence <= through }
        case .desk(let write):
            desk.apply(write)
        }
    }
}
