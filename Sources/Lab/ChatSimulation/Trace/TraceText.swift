import ChatCenterCore
import ChatServerCore
import ChatWire

/// Formats events and effects for readers.
enum TraceText {
    static let longestLine = 240

    static func of(_ event: ChatEvent) -> String {
        switch event {
        case .authorize(let user, let credentials, let restored):
            "authorize \(user.clientID) with \(credentials.token ?? "no token"), \(restored.messages.count) messages"
        case .network(.received(let generation, let frame)): "socket \(generation.number) ← \(of(frame))"
        case .network(.answered(let id, .success(.history(let answer)))):
            "call \(id.number): history \(answer.messages.map { $0.uuid ?? "?" })"
        case .network(.answered(let id, .success(.configuration))): "call \(id.number): configuration"
        case .network(let event): cut("\(event)")
        case .send(_, let id, let message): "send \(id), \(message.files.count) files"
        case .page(_, .success(let page)): "page of \(page.messages.count)"
        default: cut("\(event)")
        }
    }

    static func of(_ effect: ChatEffect) -> String {
        switch effect {
        case .commit(let transaction): "commit \(transaction.user): \(transaction.changes.map(of))"
        case .network(.transmit(let generation, _, let frame)): "socket \(generation.number) → \(of(frame))"
        case .network(.call(let id, let call)): cut("call \(id.number): \(call.request)")
        case .network(let command): cut("\(command)")
        case .publish(let screen): "publish: \(screen.unreadCount) unread, \(screen.title)"
        case .log(let record): "log: \(record.message)"
        case .notify(.configuration): "notify: configuration"
        default: cut("\(effect)")
        }
    }

    static func of(_ event: ServerEvent) -> String {
        switch event {
        case .received(let connection, let frame): "connection \(connection.number) ← \(of(frame))"
        case .called(let id, let request, let caller): cut("call \(id.number): \(request) of \(caller)")
        default: cut("\(event)")
        }
    }

    static func of(_ effect: ServerEffect) -> String {
        switch effect {
        case .send(let connection, let frame): "connection \(connection.number) → \(of(frame))"
        case .commit(let writes): "commit \(writes.map(of))"
        case .answer(let id, .history(let answer)):
            "answer \(id.number): history \(answer.messages.map { $0.uuid ?? "?" })"
        default: cut("\(effect)")
        }
    }

    private static func of(_ change: StoreChange) -> String {
        switch change {
        case .saveMessage(let message): "\(message.id) \(state(message.state))"
        case .configuration: "configuration"
        case .saveAttachment(let job): "file \(job.id.text)"
        default: cut("\(change)")
        }
    }

    private static func of(_ write: ServerWrite) -> String {
        switch write {
        case .message(let message): "\(message.uuid) of \(message.clientID)"
        case .messageChanged(let message): "\(message.uuid) \(message.status)"
        default: cut("\(write)")
        }
    }

    private static func of(_ frame: ClientFrame) -> String {
        switch frame.body {
        case .sendMessage(let content, _): "\(content.wireType) \(content.uuid ?? "") of \(content.clientID ?? "")"
        case .updateStatuses(let changes, _): "updateStatuses \(changes.map { "\($0.messageID) \($0.status)" })"
        case .registerDevice(let registration):
            "registerDevice \(registration.clientID) \(registration.deviceAddress ?? "new")"
        default: frame.action
        }
    }

    private static func of(_ frame: ServerFrame) -> String {
        switch frame.body {
        case .messages(let messages): "messages \(messages.map { "\($0.content.wireType) \($0.content.uuid ?? "")" })"
        case .receipt(let receipt): "receipt \(frame.correlationID ?? "") \(receipt.messageID)"
        default: cut("\(frame.body)")
        }
    }

    private static func state(_ state: MessageState) -> String {
        switch state {
        case .received(let reading): reading.rawValue
        case .own(.queued): "queued"
        case .own(.sending): "sending"
        case .own(.unconfirmed): "unconfirmed"
        case .own(.failed(let failure, let mayHaveArrived)): cut("failed \(failure) \(mayHaveArrived)")
        case .own(let delivery): "\(delivery)"
        }
    }

    private static func cut(_ text: String) -> String {
        text.count <= longestLine ? text : String(text.prefix(longestLine)) + "…"
    }
}
