public import Foundation
public import HoldfastTransport
public import Logging

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Holdfast's own transport: HTTP/1.1 over its dialler, judged by its trust context. TLS 1.2 or later, no cleartext off
/// the loopback.
///
/// `URLRequest.timeoutInterval` is the idle time-out over all phases. There is no cache and no cookie store, and
/// redirects are handed to the caller. Request properties that cannot be honoured are refused, not ignored; see
/// ``UnsupportedRequestError``.
public struct HTTPClientTransport: HTTPTransportProtocol {
    private let client: HTTPClient
    private let maximumResponseBytes: Int

    /// Makes a transport with connections of its own.
    ///
    /// - Parameters:
    ///   - configuration: What judges servers, and the time-outs of connecting.
    ///   - maximumResponseBytes: The largest body that is taken; a larger one fails with `responseTooLarge`. 64 MiB by
    ///     default.
    ///   - logger: Where connections are logged.
    public init(
        configuration: TransportConfiguration = TransportConfiguration(),
        maximumResponseBytes: Int = 64 * 1024 * 1024, logger: Logger? = nil
    ) {
        self.client = HTTPClient(configuration: configuration, logger: logger)
        self.maximumResponseBytes = maximumResponseBytes
    }

    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await data(for: request, RequestOptions(idleTimeout: Duration(clampingSeconds: request.timeoutInterval)))
    }

    func data(for request: URLRequest, _ options: RequestOptions) async throws -> (Data, HTTPURLResponse) {
        let (head, body, url) = try request.converted()
        let answer = try await client.collect(head, body: body, upTo: maximumResponseBytes, options: options)
        return (Data(answer.body), try answer.response.converted(url: url))
    }
}
