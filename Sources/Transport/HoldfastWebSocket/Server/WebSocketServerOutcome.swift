/// What became of an accepted connection.
package enum WebSocketServerOutcome<HTTP: Sendable>: Sendable {
    /// The upgrade was granted; messages can go both ways.
    case webSocket(WebSocketConnection, WebSocketUpgradeRequest)
    /// The first request asked for no WebSocket: what the HTTP server's set-up returned.
    case http(HTTP)
    /// The connection ended before there was either, or its upgrade was refused.
    case ended
}
