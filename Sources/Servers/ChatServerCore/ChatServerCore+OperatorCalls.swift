import ChatWire
import DequeModule
import OrderedCollections

extension ChatServerCore {
    /// The answer to the operators' interface.
    mutating func answer(_ request: OperatorRequest, _ turn: inout Turn) -> OperatorAnswer {
        switch request {
        case .overview:
            return .overview(
                ServerOverview(
                    clients: clients.count, connections: connections.count, faults: faults.count,
                    steps: script.steps.count { !$0.isOver }, network: network, identities: settings.identities,
                    configuration: configuration))
        case .clients(let offset, let count):
            let limit = min(max(1, count), settings.limits.historyCount)
            let page = clients.values.dropFirst(max(0, offset)).prefix(limit)
            return .clients(page.map { summary(of: $0) }, total: clients.count)
        case .client(let clientID):
            guard let client = clients[clientID] else { return .unknownClient }
            return .client(summary(of: client))
        case .messages(let clientID, let bound, let count):
            guard let client = clients[clientID] else { return .unknownClient }
            let limit = min(max(1, count), settings.limits.historyCount)
            return .messages(client.log.page(bound, count: limit, withHidden: true))
        case .perform(let action, let clientID):
            return perform(action, for: Happening(kind: .start, clientID: clientID), &turn)
        case .load(let script):
            load(script, &turn)
            return .done(messageID: nil)
        }
    }

    private func summary(of client: ClientState) -> ClientSummary {
        ClientSummary(
            record: client.record, sockets: readyConnections(of: client.record.clientID).count,
            devices: client.addresses.count, draft: client.draft,
            messages: client.log.messages.count { $0.isInHistory }, unread: client.log.unreadCount,
            unanswered: client.log.messages.count { $0.isFromClient && $0.isInHistory && $0.status < .read },
            lastDate: client.log.messages.last?.sentAt)
    }
}

extension OperatorAnswer {
    static let unknownClient = OperatorAnswer.refused(
        OperatorRefusal(.unknownClient, "The server knows no client of this name."))
}
