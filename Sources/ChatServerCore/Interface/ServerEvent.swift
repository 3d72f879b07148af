package import ChatWire

/// What happens to the server.
package enum ServerEvent: Hashable, Sendable {
    /// A socket was opened with this access token.
    case connected(ConnectionID, token: String?)
    /// A frame came.
    case received(ConnectionID, ClientFrame)
    /// A frame came that the codec could not read.
    case unreadable(ConnectionID, WireError)
    /// A socket is gone.
    case disconnected(ConnectionID)
    /// A REST call came.
    case called(CallID, RESTRequest, Caller)
    /// An operator did something; without a client it concerns all of them.
    case operatorActed(OperatorAction, clientID: String?)
    /// From now on these tokens are accepted.
    case accessChanged(AccessRule)
    /// These faults are to happen, each once, beside those that are planned already.
    case faultsPlanned([ServerFault])
    /// The time of ``ChatServerCore/nextWake`` has come.
    case woke
}
