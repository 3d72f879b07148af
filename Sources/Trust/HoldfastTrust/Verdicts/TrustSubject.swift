/// Whom a connection claims to reach: the name that the certificate must be valid for, and the port for reports.
public struct TrustSubject: Hashable, Sendable {
    /// The host from the URL, never the address that the socket was connected to.
    public var host: CanonicalHost
    /// The TCP port, where it is known. It takes no part in a decision.
    public var port: UInt16?

    /// Names a host and, where known, its port.
    public init(host: CanonicalHost, port: UInt16? = nil) {
        self.host = host
        self.port = port
    }
}
