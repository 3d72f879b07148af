package import ChatWire

/// The parameters for opening a socket, except the address, which the driver knows.
package struct SocketRequest: Hashable, Sendable {
    package var credentials: WireCredentials
    /// The time limit for dialing, TLS and the upgrade together. The core enforces it; the driver may pass the same
    /// limit to its transport.
    package var timeoutMilliseconds: Int64

    package init(credentials: WireCredentials, timeoutMilliseconds: Int64) {
        self.credentials = credentials
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}
