/// What the driver of a ``WebSocketMachine`` has to do, in the order given.
package enum MachineEffect: Hashable, Sendable {
    /// Send a frame.
    case transmit(OutboundFrame)
    /// Hand a message to the reader.
    case deliver(WebSocketMessage)
    /// Hand a part of a message to the reader.
    case deliverPart(WebSocketPart)
    /// A ping got its pong, or a later one did.
    case answered(PingID, Duration)
    /// The peer has broken the protocol: the reader gets the error behind the messages that wait for it. As soon as it has
    /// seen them all, and has had the occasion to answer, call ``WebSocketMachine/readerCaughtUp(at:)``.
    case fail(WebSocketError)
    /// No more messages come: with an error, or with `nil` after a proper close. Given exactly once.
    case end(WebSocketClosure, WebSocketError?)
    /// Close this end's direction of the socket once all frames are written, and go on reading (and dropping) what
    /// comes, so that the close frame is not lost to a reset.
    case closeOutput
    /// Close the socket once all frames are written.
    case closeTransport
    /// Close the socket now; frames given before are handed to it, but not waited for.
    case cutTransport
}
