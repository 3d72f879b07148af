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
