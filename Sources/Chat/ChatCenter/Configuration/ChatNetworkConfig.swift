/// Network settings of the chat: time-outs and pins.
///
/// A value: the SDK keeps the copy that it is given, and later changes have no effect on it.
public struct ChatNetworkConfig: Hashable, Sendable {
    /// REST calls and file transfers.
    public var httpConfig: HTTPConfig
    /// The socket.
    public var wsConfig: WSConfig
    /// Which servers are trusted. It governs every connection that the SDK opens: REST, files and socket.
    public var sslPinning: SSLPinningConfig

    /// Puts settings together; the defaults are the documented ones, without pins.
    public init(
        httpConfig: HTTPConfig = .init(), wsConfig: WSConfig = .init(), sslPinning: SSLPinningConfig = .init()
    ) {
        self.httpConfig = httpConfig
        self.wsConfig = wsConfig
        self.sslPinning = sslPinning
    }
}
