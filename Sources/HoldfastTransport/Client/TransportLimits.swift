/// How much a server may send before the client gives up on it.
public struct TransportLimits: Hashable, Sendable {
    /// Bytes of the head of a response, status line included; also of the trailer section. 64 KiB by default: nginx and Apache send far less than
    /// the 8 KiB that they accept.
    public var headBytes = 64 * 1024
    /// Header fields of a response. 200 by default, twice what servers of the field accept from clients.
    public var headerFields = 200
    /// Informational (1xx) responses before the final one. RFC 9110, 15.2 sets no limit; ten is generous.
    public var informationalResponses = 10

    /// The default limits.
    public init() {}
}
