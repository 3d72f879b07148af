package import ChatWire

/// What happens to the server.
package enum ServerEvent: Hashable, Sendable {
    /// Somebody asks for a socket.
    case upgradeAsked(ServerCallID)
    /// A socket was opened with this access token.
    case connected(ConnectionID, token: String?)
    /// A frame came.
    case received(ConnectionID, ClientFrame)
    /// A frame came that the codec could not read.
    case unreadable(ConnectionID, WireError)
    /// A socket is gone.
    case disconnected(ConnectionID)
    /// A REST call came.
    case called(ServerCallID, RESTRequest, Caller)
    /// A file is to come or to go: ``CallName/upload`` or ``CallName/download``.
    case transferAsked(ServerCallID, CallName, Caller)
    /// An operator did something; without a client it concerns all of them.
    case operatorActed(OperatorAction, clientID: String?)
    /// The operators' interface was asked for something; answered by ``ServerEffect/reportBack(_:_:)``.
    case operatorCalled(ServerCallID, OperatorRequest)
    /// From now on these tokens are accepted.
    case accessChanged(AccessRule)
    /// These faults are to happen, each once, beside those that are planned already.
    case faultsPlanned([ServerFault])
    /// From now on the way to the clients is like this.
    case networkChanged(NetworkConditions)
    /// From now on this script runs, instead of the one before.
    case scriptLoaded(ServerScript)
    /// The time of ``ChatServerCore/nextWake`` has come.
    case woke
}
