public import Foundation
public import HoldfastTransport
public import Logging

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Holdfast's own transport: HTTP/1.1 over its dialler, judged by its trust context. TLS 1.2 or later, no cleartext off
/// the loopback.
///
/// `URLRequest.timeoutInterval` is the idle time-out over all phases. There is no cache and no cookie store. As with `URLSession`,
/// redirects are followed and bodies are decompressed, within the limits of `RedirectPolicy` and `Decompression`; `.deliver` and
/// `.off` turn that off. Request properties that cannot be honoured are refused, not ignored; see
/// ``UnsupportedRequestError``.
public struct HTTPClientTransport: HTTPTransportProtocol {
    private let client: HTTPClient
    private let maximumResponseBytes: Int
    private let redirects: RedirectPolicy
    private let decompression: Decompression

    /// Makes a transport with connections of its own.
    ///
    /// - Parameters:
    ///   - configuration: What judges servers, and the time-outs of connecting.
    ///   - maximumResponseBytes: The largest body that is taken; a larger one fails with `responseTooLarge`. 64 MiB by
    ///     default.
    ///   - redirects: What becomes of redirects. By default at most ten are followed, never from `https:` to `http:`. The
    ///     response's `url` is that of the last one, each host is judged as if the caller had named it, and credentials stay with
    ///     their origin (RFC 9110, 15.4).
    ///   - decompression: Whether bodies are requested in compressed form and decompressed. They are by default. A body that exceeds
    ///     the limits fails with `decompressedTooLarge`.
    ///   - logger: Where connections are logged.
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

    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await data(for: request, RequestOptions(idleTimeout: Duration(clampingSeconds: request.timeoutInterval)))
    }

    /// With the time-outs of these options; what becomes of redirects and codings is the transport's own.
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
