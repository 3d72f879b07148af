extension TransportError {
    /// The progress of a connection or an exchange.
    public enum Phase: String, Hashable, Sendable, CustomStringConvertible {
        /// Checking the request, before connecting.
        case preparing
        /// Waiting for a connection while all permitted connections are busy.
        case waiting
        /// Resolving the name and connecting the socket.
        case connecting
        /// Asking a proxy to connect to the server, including TLS to the proxy.
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
        /// Exchanging messages on an open connection.
        case open
        /// The total timeout of a request, over all phases.
        case total

        /// The stable name.
        public var description: String { rawValue }
    }
}
