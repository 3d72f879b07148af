import HoldfastNIO
package import NIOCore

/// An open connection to a server that was verified and accepted.
package struct Dialled: Sendable {
    /// The number of the connection.
    package let id: TransportConnectionID
    /// The channel. Its pipeline ends with the TLS handlers, if any, and holds back reads.
    package let channel: any Channel
    /// The properties of the connection.
    package let facts: ConnectionFacts
    private let hold: NIOLoopBound<ReadHold>

    init(id: TransportConnectionID, channel: any Channel, facts: ConnectionFacts, hold: NIOLoopBound<ReadHold>) {
        self.id = id
        self.channel = channel
        self.facts = facts
        self.hold = hold
    }

    /// Releases the held reads and permits further ones. Call it once, on the channel's event loop, after adding the
    /// protocol's handlers.
    package func begin() {
        hold.value.release()
    }

    /// Closes the connection at once, without a TLS close alert. May be called from any thread.
    package func cut() {
        channel.cut()
    }
}
