import ChatWire
import OrderedCollections

extension ChatServerCore {
    /// Opens a thread unless one is open. With the bot an operator joins at once.
    mutating func openThread(of clientID: String, _ turn: inout Turn) {
        guard var record = clients[clientID]?.record, !record.isThreadOpen else { return }
        record.isThreadOpen = true
        record.threadID += 1
        record.hasOperator = settings.bot != nil
        clients[clientID]?.record = record
        turn.write(.client(record))
        announce(.threadOpened, text: nil, in: clientID, &turn)
        if let bot = settings.bot {
            let name = bot.operator.name ?? "An operator"
            announce(.operatorJoined, text: "\(name) has joined", in: clientID, &turn)
        }
    }

    /// Ends the thread if one is open; the operator leaves.
    mutating func endThread(of clientID: String, _ turn: inout Turn) {
        guard var record = clients[clientID]?.record, record.isThreadOpen else { return }
        if record.hasOperator { announce(.operatorLeft, text: "\(operatorName) has left", in: clientID, &turn) }
        record.isThreadOpen = false
        record.hasOperator = false
        clients[clientID]?.record = record
        turn.write(.client(record))
        announce(.threadClosed, text: nil, in: clientID, &turn)
    }

    private mutating func announce(_ body: ContentBody, text: String?, in clientID: String, _ turn: inout Turn) {
        pushContent(Content(body, operator: `operator`, text: text, display: text != nil), in: clientID, &turn)
    }

    /// Keeps a content of the operators' side and sends it to all of the client's sockets.
    mutating func pushContent(_ content: Content, in clientID: String, _ turn: inout Turn) {
        let uuid = content.uuid ?? turn.identifiers.uuid()
        guard
            let message = append(
                content, uuid: uuid, isFromClient: false, inHistory: true, to: clientID, &turn)
        else { return }
        for id in readyConnections(of: clientID) { push([message.delivered()], to: id, &turn) }
    }

    /// Sends a content of this moment: it is not kept.
    mutating func pushPassing(_ content: Content, in clientID: String, _ turn: inout Turn) {
        let message = DeliveredMessage(messageID: nil, sentAt: nil, content: content)
        for id in readyConnections(of: clientID) { push([message], to: id, &turn) }
    }

    /// Who speaks for the operators.
    var `operator`: Operator { settings.bot?.operator ?? .vera }

    var operatorName: String { `operator`.name ?? "The operator" }
}
