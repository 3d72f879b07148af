import ChatServerCore
import ChatWire

extension [ServerEffect] {
    /// Returns the frames that are sent to a connection.
    func frames(to id: ConnectionID = ConnectionID(1)) -> [ServerFrame] {
        compactMap { if case .send(id, let frame) = $0 { frame } else { nil } }
    }

    /// Returns the failure that is sent to a connection, if there is exactly one.
    func failure(to id: ConnectionID = ConnectionID(1)) -> ErrorAnswer? {
        let failures = frames(to: id).compactMap { if case .failure(_, let failure) = $0.body { failure } else { nil } }
        return failures.count == 1 ? failures[0] : nil
    }

    /// Returns the first receipt that is sent to a connection.
    func receipt(to id: ConnectionID = ConnectionID(1)) -> SendReceipt? {
        frames(to: id).compactMap { if case .receipt(let receipt) = $0.body { receipt } else { nil } }.first
    }

    /// Returns all messages that are pushed to a connection.
    func pushes(to id: ConnectionID = ConnectionID(1)) -> [DeliveredMessage] {
        frames(to: id).flatMap { frame -> [DeliveredMessage] in
            if case .messages(let messages) = frame.body { messages } else { [] }
        }
    }

    var commits: [ServerWrite] {
        flatMap { effect -> [ServerWrite] in if case .commit(let writes) = effect { writes } else { [] } }
    }

    var notes: [ServerNote] {
        compactMap { if case .note(let note) = $0 { note } else { nil } }
    }

    func closes(_ id: ConnectionID = ConnectionID(1)) -> ServerCloseReason? {
        compactMap { if case .close(id, let reason) = $0 { reason } else { nil } }.first
    }
}
