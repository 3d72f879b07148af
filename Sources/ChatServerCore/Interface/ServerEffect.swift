package import ChatWire

/// What the server does. The order is part of the meaning: nothing is told to a client before it is committed.
package enum ServerEffect: Hashable, Sendable {
    /// Store all of these, or none.
    case commit([ServerWrite])
    /// Send a frame.
    case send(ConnectionID, ServerFrame)
    /// Close a connection.
    case close(ConnectionID, CloseReason)
    /// Answer a REST call.
    case answer(CallID, ServerAnswer)
    /// Something was not acted upon, for this reason.
    case note(ServerNote)
}
