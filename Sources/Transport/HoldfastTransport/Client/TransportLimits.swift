/// How much a server may send before the client gives up on it, and how much the client opens and keeps.
public struct TransportLimits: Hashable, Sendable {
    /// Bytes of the head of a response, status line included; also of the trailer section. 64 KiB by default: nginx and Apache send far less than
    /// the 8 KiB that they accept.
    public var headBytes = 64 * 1024
    /// Header fields of a response. 200 by default, twice what servers of the field accept from clients; at most 65,534, since
    /// `HTTPFields` holds no more.
    public var headerFields = 200 {
        didSet { headerFields = min(headerFields, 65_534) }
    }
    /// Informational (1xx) responses before the final one. RFC 9110, 15.2 sets no limit; ten is generous.
    public var informationalResponses = 10
    /// Frames of HTTP/2 that carry nothing of a response (PING, SETTINGS, WINDOW_UPDATE, RST_STREAM, empty DATA, unknown ones), beyond
    /// those that the traffic explains: each 4 KiB that go in either direction, and each head, make up for one. 1000 by default; one
    /// more fails everything on the connection with ``TransportError/Code-swift.struct/tooManyFrames``.
    public var controlFrames = 1000

    /// Connections of one client to all hosts together, dials included. 256 by default, a quarter of the file descriptors
    /// that a process has by default. Where they are all in use, the idle one of another host is closed for a request, or the request
    /// waits.
    public var connections = 256
    /// Requests that wait for a connection to one host and port. 1024 by default; one more fails with
    /// ``TransportError/Code-swift.struct/tooManyWaiting``. How long they wait is ``RequestOptions/idleTimeout``.
    public var waitingRequests = 1024

    /// The default limits.
    public init() {}
}
