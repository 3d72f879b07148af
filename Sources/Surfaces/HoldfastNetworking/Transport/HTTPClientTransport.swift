public import Foundation
public import HoldfastTransport
public import Logging

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Holdfast's own transport: HTTP/1.1 with TLS 1.2 or later, verified by a trust context. Cleartext is refused except
/// on the loopback.
///
/// `URLRequest.timeoutInterval` is the idle timeout over all phases. The transport has no cache and no cookie store.
/// Like `URLSession`, it follows redirects and decompresses bodies, within the limits of `RedirectPolicy` and
/// `Decompression`; use `.deliver` and `.off` to disable that. Request properties that are not supported are refused
/// instead of ignored; see ``UnsupportedRequestError``.
public struct HTTPClientTransport: HTTPTransportProtocol {
    private let client: HTTPClient
    private let maximumResponseBytes: Int
    private let redirects: RedirectPolicy
    private let decompression: Decompression

    /// Makes a transport with its own connections.
    ///
    /// - Parameters:
    ///   - configuration: The trust context and the connection timeouts.
    ///   - maximumResponseBytes: The maximum body size in bytes; a larger body fails with `responseTooLarge`. 64 MiB by
    ///     default.
    ///   - redirects: The handling of redirects. By default at most ten are followed, never from `https:` to `http:`.
    ///     The response's `url` is that of the last one. Each host is verified as if the caller had named it, and
    ///     credentials stay with their origin (RFC 9110, 15.4).
    ///   - decompression: Whether compressed bodies are requested and decompressed. On by default. A body that exceeds
    ///     the limits fails with `decompressedTooLarge`.
    ///   - logger: Logs connections.
    public init(
        configuration: TransportConfiguration = TransportConfiguration(),
        maximumResponseBytes: Int = 64 * 1024 * 1024, redirects: RedirectPolicy = .follow(),
        decompression: Decompression = .on(), logger: Logger? = nil
    ) {
        self.client = HTTPClient(configuration: configuration, logger: logger)
        self.maximumResponseBytes = maximumResponseBytes
        self.redirects = redirects
        self.decompression = decompression
    }

    /// Sends a request and returns the response with its whole body.
    ///
    /// - Throws: `TransportError`, ``UnsupportedRequestError`` or ``NetworkError``.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await data(for: request, RequestOptions(idleTimeout: Duration(clampingSeconds: request.timeoutInterval)))
    }

    /// Sends a request with the timeouts of these options. Redirects and compression follow the transport's own
    /// settings.
    func data(for request: URLRequest, _ options: RequestOptions) async throws -> (Data, HTTPURLResponse) {
        let (head, body, url) = try request.converted()
        var options = options
        options.redirects = redirects
        options.redirects.credentialFields.formUnion(TokenCall.credentialFields)
        options.decompression = decompression
        let answer = try await client.collect(head, body: body, upTo: maximumResponseBytes, options: options)
        TokenCall.answered(answer.request ?? head, hasLeftOrigin: answer.hasLeftOrigin)
        return (Data(answer.body), try answer.response.converted(url: answer.redirectedURL(from: head) ?? url))
    }
}

/// Sends requests. Transports can be stacked: one wraps another and adds a function.
public protocol HTTPTransportProtocol: Sendable {
    /// Sends a request and returns the response with its whole body. A response with any status is a success.
    ///
    /// - Throws: The error that prevented a response. A refused server is a `TransportError` (from HoldfastTransport)
    ///   with the code `trustRefused` and the verdict.
    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse)
}
