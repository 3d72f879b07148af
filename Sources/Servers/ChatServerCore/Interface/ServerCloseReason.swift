/// Why the server closes a socket.
package enum ServerCloseReason: String, Hashable, Sendable, CaseIterable {
    /// The same device has opened another socket.
    case replaced
    /// It did not register in time.
    case registrationTimedOut
    /// The server has no room for another client or connection.
    case full
    /// A planned fault.
    case fault
    /// The client said that it goes.
    case clientOffline
}
