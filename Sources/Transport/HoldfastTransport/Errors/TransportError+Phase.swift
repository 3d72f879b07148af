extension TransportError {
    /// How far a connection or an exchange had come.
    public enum Phase: String, Hashable, Sendable, CustomStringConvertible {
        /// Before anything was dialled.
        case preparing
        /// Waiting for a connection while all that are allowed are busy.
        case waiting
        /// Resolving the name and connecting the socket.
        case connecting
        /// Asking a proxy to connect to the server, TLS to the proxy included.
        case proxy
        /// The TLS handshake with the server.
        case tls
        /// The upgrade to a WebSocket.
        case upgrading
        /// Sending the request.
        case sending
        /// Waiting for the head of the response.
        case awaitingResponse
        /// Receiving the body of the response.
        case receiving
        /// A connection that carries messages.
        case open
        /// The total time allowed for a request, over all phases.
        case total

        public var description: String { rawValue }
    }
}
