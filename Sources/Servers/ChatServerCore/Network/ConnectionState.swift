/// One socket in memory.
struct ConnectionState: Hashable, Sendable {
    /// fresh → registered → ready.
    enum Phase: Hashable, Sendable {
        /// Nothing is known yet; it is closed at the deadline.
        case fresh(deadline: Int64)
        /// `registerDevice` was answered.
        case registered
        /// The client information came: pushes may go out.
        case ready
    }

    var phase: Phase
    var token: String?
    /// Set from the registration on.
    var clientID: String?
    var deviceAddress: String?
    /// The protocol version that the client speaks.
    var apiVersion = VersionGate.baseline

    /// When a socket without a registration is closed, on the monotonic clock.
    var deadline: Int64? {
        if case .fresh(let deadline) = phase { deadline } else { nil }
    }
}
