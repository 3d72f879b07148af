/// Which end of a WebSocket connection this is. The rules about masking, and about who closes the socket, depend on it.
package enum WebSocketRole: Hashable, Sendable, CaseIterable {
    /// The end that asked for the upgrade. It masks what it sends (RFC 6455, 5.3).
    case client
    /// The end that granted it. It must not mask (RFC 6455, 5.1).
    case server

    /// The other end's role.
    package var peer: WebSocketRole { self == .client ? .server : .client }
}
