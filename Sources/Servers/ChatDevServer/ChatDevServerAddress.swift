/// The address of a running ``ChatDevServer``, and the URLs for a client's configuration.
public struct ChatDevServerAddress: Hashable, Sendable {
    /// The host or IP address. The certificates of ``ServerCertificateAuthority`` are valid for `localhost` and
    /// 127.0.0.1.
    public var host: String
    /// The port.
    public let port: Int
    /// Whether the server uses TLS.
    public let isSecure: Bool

    /// The base URL of the REST calls.
    public var rest: String { "\(isSecure ? "https" : "http")://\(authority)" }
    /// The WebSocket URL.
    public var webSocket: String { "\(isSecure ? "wss" : "ws")://\(authority)\(ServerPaths.socket)" }
    /// The file server's URL.
    public var dataStore: String { rest + ServerPaths.files }

    private var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
