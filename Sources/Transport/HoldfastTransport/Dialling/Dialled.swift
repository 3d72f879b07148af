import HoldfastNIO
package import NIOCore

/// An open connection whose server was judged and accepted.
package struct Dialled: Sendable {
    /// The connection's number.
    package let id: TransportConnectionID
    /// The channel. Its pipeline ends with the TLS handlers, where there are any, and holds reads back.
    package let channel: any Channel
    /// What is known about the connection.
    package let facts: ConnectionFacts
    private let hold: NIOLoopBound<ReadHold>

    init(id: TransportConnectionID, channel: any Channel, facts: ConnectionFacts, hold: NIOLoopBound<ReadHold>) {
        self.id = id
        self.channel = channel
        self.facts = facts
        self.hold = hold
    }

    /// Lets reads through, first those that were held back. Call it once, on the channel's event loop, when the
    /// protocol's handlers are in place.
    package func begin() {
        hold.value.release()
    }

    /// Closes the connection at once, without a farewell at the TLS layer. Called from any thread.
    package func cut() {
        channel.cut()
    }
}
