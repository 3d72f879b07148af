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
    /// A request of the operator desk; answered by ``ServerEffect/answerDesk(_:_:)``.
    case deskCalled(ServerCallID, DeskRequest)
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

/// A point in time, in integers for exact reproducibility.
package struct ServerMoment: Hashable, Sendable {
    /// Nanoseconds of a clock that never goes back, for deadlines.
    package var monotonic: Int64
    /// Milliseconds since 1970, for the dates of messages.
    package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}

/// The id of a socket connection. The driver never uses a number twice, so that events of closed connections are
/// recognized.
package struct ConnectionID: Hashable, Sendable, Comparable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}
