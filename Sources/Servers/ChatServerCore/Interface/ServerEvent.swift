package import ChatWire

/// An event for the server.
package enum ServerEvent: Hashable, Sendable {
    /// A client requests a socket.
    case upgradeAsked(ServerCallID)
    /// A socket was opened with this access token.
    case connected(ConnectionID, token: String?)
    /// A frame was received.
    case received(ConnectionID, ClientFrame)
    /// A frame was received that the codec could not read.
    case unreadable(ConnectionID, WireError)
    /// A socket was closed.
    case disconnected(ConnectionID)
    /// A REST call was received.
    case called(ServerCallID, RESTRequest, Caller)
    /// A file transfer is requested: ``CallName/upload`` or ``CallName/download``.
    case transferAsked(ServerCallID, CallName, Caller)
    /// An operator executed an action, in one client's conversation or, without an id, in all of them.
    case operatorActed(OperatorAction, clientID: String?)
    /// A request of the operators' interface; answered by ``ServerEffect/reportBack(_:_:)``.
    case operatorCalled(ServerCallID, OperatorRequest)
    /// The accepted tokens were changed.
    case accessChanged(AccessRule)
    /// Faults are planned in addition to the existing ones; each happens once.
    case faultsPlanned([ServerFault])
    /// The network conditions were changed.
    case networkChanged(NetworkConditions)
    /// A script replaces the previous one.
    case scriptLoaded(ServerScript)
    /// The time of ``ChatServerCore/nextWake`` has come.
    case woke
}
