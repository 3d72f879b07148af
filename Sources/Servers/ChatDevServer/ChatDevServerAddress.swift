/// Where a ``ChatDevServer`` listens, and the URLs that a client is configured with.
public struct ChatDevServerAddress: Hashable, Sendable {
    /// The host or address; the certificates of ``ServerCertificateAuthority`` name `localhost` and 127.0.0.1.
    public var host: String
    /// The port.
    public let port: Int
    /// Whether it speaks TLS.
    public let isSecure: Bool

    /// Base of the REST calls.
    public var rest: String { "\(isSecure ? "https" : "http")://\(authority)" }
    /// The socket.
    public var webSocket: String { "\(isSecure ? "wss" : "ws")://\(authority)\(ServerPaths.socket)" }
    /// The file store.
    public var dataStore: String { rest + ServerPaths.files }

    private var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
