/// The target of an action.
package enum ScriptTarget: Hashable, Sendable {
    /// The client or connection that triggered the step; all of them if there is none.
    case trigger
    case client(String)
    case everyone
}

extension ScriptTarget {
    /// Returns the target client; `nil` for all clients.
    func client(_ origin: ScriptEvent) -> String? {
        switch self {
        case .trigger: origin.clientID
        case .client(let clientID): clientID
        case .everyone: nil
        }
    }

    /// Returns the target sockets.
    func sockets(_ origin: ScriptEvent, _ connections: ConnectionTable) -> [ConnectionID] {
        if case .trigger = self, let connection = origin.connection {
            return connections[connection] == nil ? [] : [connection]
        }
        guard let clientID = client(origin) else { return connections.ids }
        return connections.ids(of: clientID)
    }
}
