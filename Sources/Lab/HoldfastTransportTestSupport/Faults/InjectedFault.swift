/// A fault that a ``FaultProxy`` applies to one direction after a number of bytes.
public struct InjectedFault: Sendable {
    /// The kind of fault.
    public enum Kind: Sendable {
        /// Closes both connections.
        case close
        /// Resets the connection to the receiver.
        case reset
        /// Ends this direction only: the receiver sees the end of the stream and can still send.
        case halfClose
        /// Inserts bytes that the sender did not send.
        case inject([UInt8])
        /// Inverts the bits of this mask in the next byte.
        case corrupt(UInt8)
        /// Sends this number of bytes twice.
        case duplicate(Int)
        /// Drops this number of bytes.
        case drop(Int)
        /// Fires the trigger and changes no bytes.
        case signal(Trigger)
        /// Holds all further bytes until the trigger fires.
        case hold(Trigger)
        /// Sends all further bytes one by one, each when the turnstile lets it pass.
        case drip(Turnstile)
    }

    /// The number of bytes in this direction before the fault.
    public var offset: Int
    /// The kind of fault.
    public var kind: Kind

    /// Creates a fault.
    public init(_ kind: Kind, after offset: Int) {
        self.offset = offset
        self.kind = kind
    }
}

/// The faults of one proxied connection. In each direction they must be sorted by offset.
public struct FaultPlan: Sendable {
    /// The faults in the direction from the server to the client.
    public var toClient: [InjectedFault]
    /// The faults in the direction from the client to the server.
    public var toServer: [InjectedFault]

    /// Creates a plan.
    public init(toClient: [InjectedFault] = [], toServer: [InjectedFault] = []) {
        self.toClient = toClient
        self.toServer = toServer
    }

    /// A plan without faults.
    public static let none = FaultPlan()
}
