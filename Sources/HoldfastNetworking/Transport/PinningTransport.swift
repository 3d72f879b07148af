public import Foundation
public import HoldfastTransport
public import HoldfastTrust

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that asks an evaluator of your choice about each listed domain.
///
/// ```swift
/// let service = HTTPNetworkService(
///     transport: PinningTransport(
///         pinnedDomains: ["api.example.com": PublicKeyPinningEvaluator(pinnedKeyHashes: [primary, backup])]))
/// ```
/// A domain that is not listed falls through to the system verification. Domains are compared in canonical form, exactly:
/// capitals, a trailing dot or percent-encoding do not switch pinning off, and a subdomain needs an entry of its own. A key that is no
/// host makes every connection fail with that reason. A refusal reaches the caller as a `TransportError` with the
/// verdict.
public struct PinningTransport: HTTPTransportProtocol {
    private let transport: HTTPClientTransport

    /// Makes a transport with connections of its own.
    ///
    /// - Parameters:
    ///   - pinnedDomains: The evaluator for each domain.
    ///   - anchors: The roots that the system verification of unlisted domains, and of custom evaluators, may end in.
    ///   - redirects: What becomes of redirects: handed to the caller by default. The evaluator of the domain that a redirect
    ///     leads to is asked as if the caller had named it.
    ///   - decompression: Whether bodies are asked for in compressed form, and decompressed. They are not by default.
    public init(
        pinnedDomains: [String: any ServerTrustEvaluator], anchors: TrustAnchors = .system,
        redirects: RedirectPolicy = .deliver, decompression: Decompression = .off
    ) {
        self.init(
            pinnedDomains: pinnedDomains, anchors: anchors, redirects: redirects, decompression: decompression,
            configuration: TransportConfiguration())
    }

    /// `configuration` is used but for its trust.
    package init(
        pinnedDomains: [String: any ServerTrustEvaluator], anchors: TrustAnchors,
        redirects: RedirectPolicy = .deliver, decompression: Decompression = .off, configuration: TransportConfiguration
    ) {
        var configuration = configuration
        configuration.trust = .evaluators(pinnedDomains, anchors: anchors)
        self.transport = HTTPClientTransport(
            configuration: configuration, redirects: redirects, decompression: decompression)
    }

    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await transport.data(for: request)
    }
}
