package import ChatWire

/// What the server does. The order is part of the meaning: nothing is told to a client before it is committed.
package enum ServerEffect: Hashable, Sendable {
    /// Store all of these, or none.
    case commit([ServerWrite])
    /// Send a frame.
    case send(ConnectionID, ServerFrame)
    /// Close a connection.
    case close(ConnectionID, ServerCloseReason)
    /// Close a connection with this code and reason, as a script wants it.
    case hangUp(ConnectionID, code: UInt16, reason: String)
    /// Answer a REST call.
    case answer(ServerCallID, ServerAnswer)
    /// Answer a request for an upgrade.
    case admit(ServerCallID, UpgradeDecision)
    /// The answer to this call goes out so many nanoseconds later.
    case stall(ServerCallID, nanoseconds: Int64)
    /// Answer the operators' interface.
    case reportBack(ServerCallID, OperatorAnswer)
    /// Show another identity to new connections: one of ``ChatServerSettings/identities``.
    case present(identity: String)
    /// Something was not acted upon, for this reason.
    case note(ServerNote)
}
