import HoldfastTransport
package import Logging
package import NIOCore

/// The server's end of a connection whose upgrade somebody else has answered.
package enum WebSocketServerRole {
    /// Makes a WebSocket of a channel on which a `101` was just sent, and whose pipeline holds nothing but what is
    /// below HTTP. Call it on the channel's event loop.
    ///
    /// ``ServerHandshake`` judges the request and says what the `101` has to hold; ``WebSocketUpgrader`` does all of
    /// it.
    ///
    /// - Parameters:
    ///   - leftOver: Bytes that came behind the request; they are the first frames.
    ///   - deflate: The compression that the `101` has granted, by ``DeflateNegotiation/answer(_:options:)``.
    package static func configure(
        channel: any Channel, leftOver: ByteBuffer? = nil, options: WebSocketServerOptions = WebSocketServerOptions(),
        subprotocol: String? = nil, deflate: DeflateAgreement? = nil, logger: Logger? = nil
    ) throws -> WebSocketConnection {
        try WebSocketConnection.install(
            on: channel,
            WebSocketConnection.Parts(
                role: .server, settings: options.settings(deflate), entropy: .system, subprotocol: subprotocol,
                facts: ConnectionFacts(remoteAddress: remoteAddress(of: channel)), logger: logger),
            leftOver: leftOver)
    }

    private static func remoteAddress(of channel: any Channel) -> String {
        guard let address = channel.remoteAddress else { return "" }
        guard let ip = address.ipAddress, let port = address.port else { return "\(address)" }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}
