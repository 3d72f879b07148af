/// The limits on clients' use of a ``ChatDevServer``. The configuration's `attachmentSettings` limit the size of a
/// file.
public struct ChatDevServerLimits: Hashable, Sendable {
    /// The maximum number of open connections. Further connections wait to be accepted.
    public var connections = 1_000
    /// The maximum size of a WebSocket message in bytes. The longest message, with 4000 characters and quotes, is far
    /// smaller.
    public var messageBytes = 256 * 1024
    /// The maximum size of all header fields of a request in bytes.
    public var headerBytes = 32 * 1024
    /// The maximum number of header fields of a request.
    public var headerFields = 100
    /// The maximum size of all uploaded files in bytes.
    public var storedBytes: Int64 = 1 << 30
    /// The time after which an idle HTTP connection is closed.
    public var idleTimeout: Duration = .seconds(60)

    /// Creates limits with the defaults.
    public init() {}
}
