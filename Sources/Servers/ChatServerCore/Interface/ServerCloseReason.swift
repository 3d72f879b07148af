/// Why the server closes a socket.
package enum ServerCloseReason: String, Hashable, Sendable, CaseIterable {
    /// The same device opened another socket.
    case replaced
    /// The client did not register in time.
    case registrationTimedOut
    /// The limit for clients or connections is reached.
    case full
    /// A planned fault.
    case fault
    /// The client announced that it goes offline.
    case clientOffline
}
