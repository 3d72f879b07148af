/// The versions of HTTP that a client speaks.
public struct HTTPVersions: Hashable, Sendable, CustomStringConvertible {
    private enum Choice: String {
        case automatic, http1Only, http2Only
    }

    private let choice: Choice

    /// HTTP/2 where the server chooses it by ALPN, HTTP/1.1 elsewhere, and without TLS.
    public static let automatic = HTTPVersions(choice: .automatic)
    /// HTTP/1.1 alone.
    public static let http1Only = HTTPVersions(choice: .http1Only)
    /// HTTP/2 alone. A server that does not choose it fails the request with
    /// ``TransportError/Code-swift.struct/noCommonProtocol``. Without TLS, where that is allowed at all, the server is taken to speak it
    /// ("prior knowledge", RFC 9113, 3.3).
    public static let http2Only = HTTPVersions(choice: .http2Only)

    public var description: String { choice.rawValue }

    /// What is offered by ALPN, most wanted first.
    var applicationProtocols: [String] {
        switch choice {
        case .automatic: [Self.http2Name, Self.http1Name]
        case .http1Only: [Self.http1Name]
        case .http2Only: [Self.http2Name]
        }
    }

    /// Whether a connection on which nothing was chosen by ALPN carries HTTP/2.
    var assumesHTTP2: Bool { choice == .http2Only }

    /// The name of HTTP/1.1 in ALPN.
    static let http1Name = "http/1.1"
    /// The name of HTTP/2 over TLS in ALPN.
    static let http2Name = "h2"
}
