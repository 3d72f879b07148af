/// The HTTP versions that a client uses.
public struct HTTPVersions: Hashable, Sendable, CustomStringConvertible {
    private enum Choice: String {
        case automatic, http1Only, http2Only
    }

    private let choice: Choice

    /// HTTP/2 if the server chooses it by ALPN. HTTP/1.1 otherwise, and always without TLS.
    public static let automatic = HTTPVersions(choice: .automatic)
    /// Only HTTP/1.1.
    public static let http1Only = HTTPVersions(choice: .http1Only)
    /// Only HTTP/2.
    ///
    /// If the server does not choose it, the request fails with ``TransportError/Code-swift.struct/noCommonProtocol``.
    /// Without TLS, where cleartext is permitted, the client assumes that the server supports HTTP/2 ("prior
    /// knowledge", RFC 9113, 3.3).
    public static let http2Only = HTTPVersions(choice: .http2Only)

    /// The name of the choice.
    public var description: String { choice.rawValue }

    /// The protocols offered by ALPN, in order of preference.
    var applicationProtocols: [String] {
        switch choice {
        case .automatic: [Self.http2Name, Self.http1Name]
        case .http1Only: [Self.http1Name]
        case .http2Only: [Self.http2Name]
        }
    }

    /// Whether a connection without an ALPN result carries HTTP/2.
    var assumesHTTP2: Bool { choice == .http2Only }

    /// The ALPN name of HTTP/1.1.
    static let http1Name = "http/1.1"
    /// The ALPN name of HTTP/2 over TLS.
    static let http2Name = "h2"
}
