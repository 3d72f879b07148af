package import ChatWire

/// An effect for the driver to execute. The order matters: a client is told nothing before it is committed.
package enum ServerEffect: Hashable, Sendable {
    /// Stores all of these, or none.
    case commit([ServerWrite])
    /// Sends a frame.
    case send(ConnectionID, ServerFrame)
    /// Closes a connection.
    case close(ConnectionID, ServerCloseReason)
    /// Closes a connection with a script's code and reason.
    case hangUp(ConnectionID, code: UInt16, reason: String)
    /// Answers a REST call.
    case answer(ServerCallID, ServerAnswer)
    /// Answers an upgrade request.
    case admit(ServerCallID, UpgradeDecision)
    /// Delays the answer to this call by this number of nanoseconds.
    case stall(ServerCallID, nanoseconds: Int64)
    /// Answers the operators' interface.
    case reportBack(ServerCallID, OperatorAnswer)
    /// Presents another identity to new connections: one of ``ChatServerSettings/identities``.
    case present(identity: String)
    /// Logs why something was not executed.
    case note(ServerNote)
}
