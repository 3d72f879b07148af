import ChatServerCore
import ChatWire

extension OperatorAnswer {
    /// The answer as JSON for the operators' interface.
    var json: JSONValue {
        switch self {
        case .overview(let overview): return .object(overview.json)
        case .clients(let clients, let total):
            return .object([
                "total": .integer(Int64(total)), "clients": .array(clients.map { .object($0.json) }),
            ])
        case .client(let client): return .object(client.json)
        case .messages(let messages):
            return .object(["messages": .array(messages.map { .object($0.json) })])
        case .done(let messageID):
            var object = JSONObject()
            object.set("messageId", messageID)
            return .object(object)
        case .refused(let refusal):
            return .object(["error": .string(refusal.code.rawValue), "errorDetails": .string(refusal.reason)])
        }
    }
}

extension ServerOverview {
    fileprivate var json: JSONObject {
        [
            "clients": .integer(Int64(clients)), "connections": .integer(Int64(connections)),
            "faults": .integer(Int64(faults)), "steps": .integer(Int64(steps)),
            "network": .object([
                "latency": .integer(network.latency / 1_000_000), "loss": .integer(network.lossPercent),
                "duplicates": .integer(network.duplicatePercent),
            ]),
            "identities": .array(identities.map { .string($0) }), "configuration": .object(configuration.json),
        ]
    }
}

extension ClientSummary {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["client": .string(record.clientID)]
        object.set("name", record.name)
        object.set("data", record.data)
        object.set("locale", record.locale)
        object.set("isThreadOpen", record.isThreadOpen)
        object.set("thread", record.threadID)
        object.set("hasOperator", record.hasOperator)
        object.set("operator", record.operator?.name)
        object.set("isBlocked", record.isBlocked)
        object.set("sockets", Int64(sockets))
        object.set("devices", Int64(devices))
        object.set("draft", draft)
        object.set("messages", Int64(messages))
        object.set("unread", Int64(unread))
        object.set("unanswered", Int64(unanswered))
        object.set("lastDate", time: lastDate)
        return object
    }
}

extension ServerMessage {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["messageId": .string(messageID), "uuid": .string(uuid)]
        object.set("fromClient", isFromClient)
        object.set("sentAt", time: sentAt)
        object.set("status", status.rawValue)
        object.set("inHistory", isInHistory)
        object["content"] = content.json
        return object
    }
}
