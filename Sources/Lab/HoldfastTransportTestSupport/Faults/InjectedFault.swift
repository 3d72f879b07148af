/// What a ``FaultProxy`` does to the bytes of one direction, when so many of them have passed.
public struct InjectedFault: Sendable {
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
        /// Changes the next byte: the bits of this mask are inverted.
        case corrupt(UInt8)
        /// Sends the next bytes, so many of them, twice.
        case duplicate(Int)
        /// Takes the next bytes, so many of them, out.
        case drop(Int)
        /// Does nothing to the bytes, and tells a test that so many have passed.
        case signal(Trigger)
        /// Holds everything back until a test lets it go: a delay.
        case hold(Trigger)
        /// From here on every byte alone, each when a test lets it pass.
        case drip(Turnstile)
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

/// The faults of one proxied connection. Each direction's faults come in the order of their offsets.
public struct FaultPlan: Sendable {
    /// Faults on the way from the server to the client.
    public var toClient: [InjectedFault]
    /// Faults on the way from the client to the server.
    public var toServer: [InjectedFault]

    /// Plans faults.
    public init(toClient: [InjectedFault] = [], toServer: [InjectedFault] = []) {
        self.toClient = toClient
        self.toServer = toServer
    }

    /// No faults.
    public static let none = FaultPlan()
}
