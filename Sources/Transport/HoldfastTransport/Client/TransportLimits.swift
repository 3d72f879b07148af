/// The limits for what a server may send, and for the connections that a client opens and keeps.
public struct TransportLimits: Hashable, Sendable {
    /// The maximum size of a response head, including the status line, and of a trailer section, in bytes. 64 KiB by
    /// default: nginx and Apache send far less than the 8 KiB that they accept.
    public var headBytes = 64 * 1024
    /// The maximum number of header fields in a response. 200 by default, twice what common servers accept from
    /// clients; at most 65,534, the limit of `HTTPFields`.
    public var headerFields = 200 {
        didSet { headerFields = min(headerFields, 65_534) }
    }
    /// The maximum number of informational (1xx) responses before the final one. Ten by default; RFC 9110, 15.2 sets no
    /// limit.
    public var informationalResponses = 10
    /// The maximum number of HTTP/2 frames without response data: PING, SETTINGS, WINDOW_UPDATE, RST_STREAM, empty DATA
    /// and unknown frames. 1000 by default.
    ///
    /// Each 4 KiB of traffic in either direction, and each response head, permits one additional frame. If the limit is
    /// exceeded, all requests on the connection fail with ``TransportError/Code-swift.struct/tooManyFrames``.
    public var controlFrames = 1000

    /// The maximum number of connections of one client to all hosts, including dials in progress. 256 by default, a
    /// quarter of a process's default file descriptor limit.
    ///
    /// When all are in use, a new request closes an idle connection to another host, or waits.
    public var connections = 256
    /// The maximum number of requests that wait for a connection to one host and port. 1024 by default; further
    /// requests fail with ``TransportError/Code-swift.struct/tooManyWaiting``. ``RequestOptions/idleTimeout`` limits
    /// how long they wait.
    public var waitingRequests = 1024

    /// Creates the default limits.
    public init() {}
}
