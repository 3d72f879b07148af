/// The number of body bytes that a request has sent and received so far.
public struct TransferProgress: Hashable, Sendable {
    /// The bytes of the request body that were written to the socket.
    public var sent: Int64
    /// The length of the request body, if known.
    public var toSend: Int64?
    /// The bytes of the response body that were received.
    public var received: Int64
    /// The length of the response body, if the server announced it.
    public var toReceive: Int64?

    /// Creates a progress value.
    public init(sent: Int64 = 0, toSend: Int64? = nil, received: Int64 = 0, toReceive: Int64? = nil) {
        self.sent = sent
        self.toSend = toSend
        self.received = received
        self.toReceive = toReceive
    }
}
