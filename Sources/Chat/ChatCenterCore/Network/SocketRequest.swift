package import ChatWire

/// What a driver needs to open a socket beside the address that it knows.
package struct SocketRequest: Hashable, Sendable {
    package var credentials: WireCredentials
    /// The longest time that dialling, TLS and the upgrade may take together. The core keeps this deadline itself; the
    /// driver may give its transport the same one.
    package var timeoutMilliseconds: Int64

    package init(credentials: WireCredentials, timeoutMilliseconds: Int64) {
        self.credentials = credentials
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}
