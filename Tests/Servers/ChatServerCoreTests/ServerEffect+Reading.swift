import ChatServerCore
import ChatWire

extension [ServerEffect] {
    /// The frames that go to a connection.
    func frames(to id: ConnectionID = ConnectionID(1)) -> [ServerFrame] {
        compactMap { if case .send(id, let frame) = $0 { frame } else { nil } }
    }

    /// The failure that a connection is told of, if it is told of exactly one.
    func failure(to id: ConnectionID = ConnectionID(1)) -> ErrorAnswer? {
        let failures = frames(to: id).compactMap { if case .failure(_, let failure) = $0.body { failure } else { nil } }
        return failures.count == 1 ? failures[0] : nil
    }

    /// The first receipt that a connection gets.
    func receipt(to id: ConnectionID = ConnectionID(1)) -> SendReceipt? {
        frames(to: id).compactMap { if case .receipt(let receipt) = $0.body { receipt } else { nil } }.first
    }

    /// All messages that are pushed to a connection.
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
