/// The phases of a dial, as named in metrics and, with the prefix `holdfast.`, in spans.
enum DialPhase: String, Hashable, Sendable, CaseIterable {
    /// The whole dial.
    case dial
    /// Resolving the name and connecting the socket, to the proxy if there is one.
    case connect
    /// The dialogue with the proxy, including TLS to the proxy.
    case proxy
    /// The TLS handshake with the server.
    case tls
    /// The verification of the server's certificates.
    case verify
}
