/// What a ``FaultProxy`` does to the bytes of one direction, when so many of them have passed.
public struct Fault: Sendable {
    /// What it does.
    public enum Kind: Sendable {
        /// Closes both connections.
        case close
        /// Resets the connection to the receiver.
        case reset
        /// Ends this direction alone: the receiver sees the end of the stream, and may still send.
        case halfClose
        /// Slips bytes in that nobody sent.
        case inject([UInt8])
        /// Holds everything back until a test lets it go.
        case hold(Trigger)
    }

    /// After how many bytes of the direction.
    public var offset: Int
    /// What it does.
    public var kind: Kind

    /// Plans a fault.
    public init(_ kind: Kind, after offset: Int) {
        self.offset = offset
        self.kind = kind
    }
}
