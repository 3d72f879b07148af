import OrderedCollections

/// The open sockets, in the order in which they were opened.
struct ConnectionTable: Hashable, Sendable {
    private var connections: OrderedDictionary<ConnectionID, ConnectionState> = [:]

    /// The number of open sockets.
    var count: Int { connections.count }

    /// All open sockets.
    var ids: [ConnectionID] { Array(connections.keys) }

    /// The earliest registration deadline, on the monotonic clock.
    var nextDeadline: Int64? { connections.values.compactMap(\.deadline).min() }

    subscript(id: ConnectionID) -> ConnectionState? { connections[id] }

    /// Adds a socket that must register before the deadline.
    mutating func open(_ id: ConnectionID, token: String?, deadline: Int64) {
        connections[id] = ConnectionState(phase: .fresh(deadline: deadline), token: token)
    }

    /// Removes a socket. Returns `nil` if it is not open.
    mutating func remove(_ id: ConnectionID) -> ConnectionState? {
        connections.removeValue(forKey: id)
    }

    /// Records the registration on a socket.
    mutating func register(_ id: ConnectionID, clientID: String, deviceAddress: String, apiVersion: Int64) {
        connections[id]?.phase = .registered
        connections[id]?.clientID = clientID
        connections[id]?.deviceAddress = deviceAddress
        connections[id]?.apiVersion = apiVersion
    }

    /// Records that a socket's handshake is complete, so that it gets pushes.
    mutating func completeHandshake(of id: ConnectionID) {
        connections[id]?.phase = .ready
    }

    /// Returns the sockets that did not register in time.
    func late(at now: Int64) -> [ConnectionID] {
        ids { $0.deadline.map { $0 <= now } ?? false }
    }

    /// Returns the sockets with a complete handshake, of one client or of all.
    func ready(of clientID: String? = nil) -> [ConnectionID] {
        ids { $0.phase == .ready && (clientID == nil || $0.clientID == clientID) }
    }

    /// Returns the sockets of a client.
    func ids(of clientID: String) -> [ConnectionID] {
        ids { $0.clientID == clientID }
    }

    /// Returns the sockets of a device.
    func ids(ofDevice address: String) -> [ConnectionID] {
        ids { $0.deviceAddress == address }
    }

    private func ids(where fits: (ConnectionState) -> Bool) -> [ConnectionID] {
        connections.elements.compactMap { id, connection in fits(connection) ? id : nil }
    }
}

/// The state of a socket.
struct ConnectionState: Hashable, Sendable {
    /// The phase of a socket: fresh → registered → ready.
    enum Phase: Hashable, Sendable {
        /// Not registered yet; the socket is closed at the deadline.
        case fresh(deadline: Int64)
        /// `registerDevice` was answered.
        case registered
        /// The client information was received; pushes may be sent.
        case ready
    }

    var phase: Phase
    var token: String?
    /// Set by the registration.
    var clientID: String?
    var deviceAddress: String?
    /// The protocol version that the client speaks.
    var apiVersion = VersionGate.baseline

    /// The deadline for the registration, on the monotonic clock.
    var deadline: Int64? {
        if case .fresh(let deadline) = phase { deadline } else { nil }
    }
}
