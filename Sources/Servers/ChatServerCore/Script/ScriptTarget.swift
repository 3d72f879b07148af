/// Whom an action is about.
package enum ScriptTarget: Hashable, Sendable {
    /// The client, or the connection, that started the step; all of them where none did.
    case trigger
    case client(String)
    case everyone
}

extension ScriptTarget {
    /// The client that is meant; `nil` for all of them.
    func client(_ origin: ScriptEvent) -> String? {
        switch self {
        case .trigger: origin.clientID
        case .client(let clientID): clientID
        case .everyone: nil
        }
    }

    /// The sockets that are meant.
    func sockets(_ origin: ScriptEvent, _ connections: ConnectionTable) -> [ConnectionID] {
        if case .trigger = self, let connection = origin.connection {
            return connections[connection] == nil ? [] : [connection]
        }
        guard let clientID = client(origin) else { return connections.ids }
        return connections.ids(of: clientID)
    }
}
