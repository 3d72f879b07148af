/// How many bytes of a request's and a response's body have been sent and received so far.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes of the request's body that the socket has taken.
    public var sent: Int64
    /// The length of the request's body, where it is known.
    public var toSend: Int64?
    /// Bytes of the response's body that have arrived.
    public var received: Int64
    /// The length of the response's body, where the server has said it.
    public var toReceive: Int64?

    /// Makes a progress value.
    public init(sent: Int64 = 0, toSend: Int64? = nil, received: Int64 = 0, toReceive: Int64? = nil) {
        self.sent = sent
        self.toSend = toSend
        self.received = received
        self.toReceive = toReceive
    }
}
