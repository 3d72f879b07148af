/// What clients may cost a ``ChatDevServer``. The size of a file is limited by the configuration's `attachmentSettings`.
public struct ChatDevServerLimits: Hashable, Sendable {
    /// Connections that are open at a time; further ones wait to be accepted.
    public var connections = 1_000
    /// Bytes of one WebSocket message. The longest message of 4000 characters, with quotes, is far below.
    public var messageBytes = 256 * 1024
    /// Bytes of all header fields of a request.
    public var headerBytes = 32 * 1024
    /// Header fields of a request.
    public var headerFields = 100
    /// Bytes of all uploaded files together.
    public var storedBytes: Int64 = 1 << 30
    /// How long an HTTP connection may be idle.
    public var idleTimeout: Duration = .seconds(60)

    /// The defaults.
    public init() {}
}
