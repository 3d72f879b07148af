/// The result of ``HTTPClient/prewarm(_:connections:timeout:address:trust:)``.
public struct PrewarmedConnections: Sendable {
    /// The number of connections that the call opened. Their servers were verified and accepted.
    public let opened: Int
    /// The number of connections that can accept a request at once, including those that were open before. With HTTP/2
    /// each of them accepts several requests.
    public let available: Int
    /// The error of a connection that could not be opened although another one was; `nil` if none failed. A refusal by
    /// the trust evaluation is thrown instead.
    public let failure: TransportError?
}

extension HTTPClient {
    /// Opens connections before they are needed, so that the first requests do not wait for a TLS handshake.
    ///
    /// The client connects, performs the handshake and verifies the server as for a request, and reports a refusal in
    /// the same way. No request is sent. The connections become idle and serve the next requests to the same host with
    /// the same address and trust. An unused one is closed after ``TransportConfiguration/keepAlive``.
    ///
    /// The client opens only as many connections as are missing: connections that are already idle count, and so do
    /// HTTP/2 connections with a free stream. To an HTTP/2 server it opens one connection, or up to the number that
    /// ``HTTP2Distribution/leastLoaded(loadFactor:connections:)`` permits. The limits of connections to the host and of
    /// the client are never exceeded: if one is reached, fewer connections are opened, and no open connection is closed
    /// for them.
    ///
    /// If the task is cancelled, the connections in progress are closed. Connections that are already open stay until
    /// their idle timeout.
    ///
    /// - Parameters:
    /// - url: An absolute `https:` or `http:` URL. Only its scheme, host and port are used.
    /// - connections: The number of connections that shall be ready.
    /// - timeout: The maximum of each of the three timeouts of a connection: connecting, the proxy's answer, and the
    ///   TLS handshake.
    /// - address: The address to connect to, as in ``RequestOptions/address``.
    /// - trust: The trust that verifies the server, as in ``RequestOptions/trust``.
    /// - Throws: ``TransportError``: `trustRefused` with the verdict if the trust evaluation refused the server, also
    ///   if other connections were opened; the first error if no connection could be opened; `invalidURL`;
    ///   `invalidRequest` if `connections` is less than 1; `invalidConfiguration` if idle connections are not kept;
    ///   `cancelled`; `shutDown`.
    @discardableResult
    public func prewarm(
        _ url: String, connections: Int = 1, timeout: Duration = .seconds(30), address: ConnectAddress? = nil,
        trust: RequestTrust? = nil
    ) async throws(TransportError) -> PrewarmedConnections {
        let url = try RequestURL(url)
        try url.requireHTTP()
        guard connections > 0 else {
            throw TransportError(
                .invalidRequest, in: .preparing,
                "The number of connections to open in advance is \(connections); it must be at least 1.")
        }
        guard core.configuration.keepAlive > .zero else {
            throw TransportError(
                .invalidConfiguration, in: .preparing,
                "The client does not keep idle connections (keepAlive is zero), so it cannot open any in advance.")
        }
        guard !Task.isCancelled else { throw Exchange.cancelled }
        let target = url.dialTarget(
            alpn: core.configuration.httpVersions.applicationProtocols,
            variation: .of(address: address, trust: trust))
        while true {
            // A pool without connections may be removed at any time. The next one takes its place.
            if let result = try await core.pool(for: target).prewarm(connections, limit: timeout) { return result }
        }
    }
}
