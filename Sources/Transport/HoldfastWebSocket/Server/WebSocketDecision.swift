package import HTTPTypes

/// What a server does with a proper request for an upgrade.
package enum WebSocketDecision: Sendable {
    /// Grant it. The subprotocol has to be one that the client offers; another one is answered with 500.
    case accept(subprotocol: String? = nil, headers: HTTPFields = [:])
    /// Refuse it, and close the connection.
    case reject(WebSocketRejection)
    /// Leave it to the HTTP server, like any other request.
    case pass
}
