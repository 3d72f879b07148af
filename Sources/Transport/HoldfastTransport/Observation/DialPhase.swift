/// The parts of a dial, as they appear in metrics and, with `holdfast.` before them, as the names of spans.
enum DialPhase: String, Hashable, Sendable, CaseIterable {
    /// The whole of it.
    case dial
    /// Resolving the name and connecting the socket, to the proxy where there is one.
    case connect
    /// Asking the proxy, TLS to it included.
    case proxy
    /// The handshake with the server.
    case tls
    /// The judgement on its certificates.
    case verify
}
