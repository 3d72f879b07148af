/// Why a proxy that was reached did not lead to the server.
public struct ProxyFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The proxy wants other credentials than it got: a `407`, or SOCKS5 with no method in common or a failed login.
        case authentication
        /// The proxy does not connect to the server, or could not. ``ProxyFailure/status`` says what it answered.
        case refused
        /// The proxy's answer is no HTTP, or no SOCKS5.
        case malformed
        /// The head of the proxy's answer is larger than 16 KiB, or comes after more than ten provisional ones.
        case tooLarge
        /// Something followed the proxy's answer before TLS had begun: no server speaks first, so it is the proxy's or
        /// an attacker's, and is not mistaken for the server's.
        case earlyBytes
        /// The proxy closed the connection before its answer was complete.
        case closed
        /// The proxy was refused, or no TLS could be agreed on with it.
        case tls
        /// The answer did not come in time.
        case timedOut
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person. Of what the proxy sent it holds numbers alone.
    public var reason: String
    /// The status of the proxy's answer (RFC 9110, 15), or the code of its SOCKS5 reply (RFC 1928, 6).
    public var status: Int?

    /// Makes a failure.
    public init(_ code: Code, _ reason: String, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
