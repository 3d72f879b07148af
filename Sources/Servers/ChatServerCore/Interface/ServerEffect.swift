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
    /// Answers the operator desk.
    case answerDesk(ServerCallID, DeskAnswer)
    /// Sends events to every open desk.
    case tellDesks([DeskEvent])
    /// Presents another identity to new connections: one of ``ChatServerSettings/identities``.
    case present(identity: String)
    /// Logs why something was not executed.
    case note(ServerNote)
}

/// Why the server closes a socket.
package enum ServerCloseReason: String, Hashable, Sendable, CaseIterable {
    /// The same device opened another socket.
    case replaced
    /// The client did not register in time.
    case registrationTimedOut
    /// The limit for clients or connections is reached.
    case full
    /// A planned fault.
    case fault
    /// The client announced that it goes offline.
    case clientOffline
}

/// A reason why the server did not act upon an event. The set is fixed and safe for log lines.
package enum ServerNote: String, Hashable, Sendable, CaseIterable {
    /// An event concerns a connection that is not open or no longer open.
    case unknownConnection
    /// A connection number was announced twice.
    case repeatedConnection
    /// A frame could not be read.
    case unreadableFrame
    /// An operator's action concerns an unknown client.
    case unknownClient
    /// An operator's action was refused for another reason.
    case refusedAction
    /// The bot has too many planned steps and does not answer this message.
    case botOverloaded
    /// A planned fault has happened.
    case fault
    /// A frame was lost because of the network conditions.
    case lost
    /// There are too many planned faults or waiting script steps.
    case overloaded
}
