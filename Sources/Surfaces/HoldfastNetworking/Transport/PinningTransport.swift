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
///         pinnedDomains: ["api.example.com": PublicKeyPinningEvaluator(keys: [primary, backup])]))
/// ```
/// A domain that is not listed falls through to the system verification. Domains are compared in canonical form, exactly:
/// capitals, a trailing dot or percent-encoding do not switch pinning off, and a subdomain needs an entry of its own. A key that is no
/// host makes every connection fail with that reason. A refusal reaches the caller as a `TransportError` with the
/// verdict.
public struct PinningTransport: HTTPTransportProtocol {
    private let transport: HTTPClientTransport
    private let settings: SessionSettings

    /// Makes a transport with connections of its own.
    ///
    /// - Parameters:
    ///   - pinnedDomains: The evaluator for each domain.
    ///   - configuration: Time-outs, the limit of connections to a host and additional header fields are taken from it. A
    ///     property that cannot be honoured makes every request fail with ``UnsupportedConfigurationError``.
    ///   - anchors: The roots that the system verification of unlisted domains, and of custom evaluators, may end in.
    ///   - redirects: What becomes of redirects. By default at most ten are followed, never from `https:` to `http:`. The
    ///     evaluator of the domain that a redirect leads to is asked as if the caller had named it.
    ///   - decompression: Whether bodies are requested in compressed form and decompressed. They are by default. A body that exceeds
    ///     the limits fails with `decompressedTooLarge`.
    public init(
        pinnedDomains: [String: any ServerTrustEvaluator], configuration: URLSessionConfiguration = .default,
        anchors: TrustAnchors = .system, redirects: RedirectPolicy = .follow(), decompression: Decompression = .on()
    ) {
        let settings = SessionSettings(configuration)
        self.init(
            pinnedDomains: pinnedDomains, anchors: anchors, redirects: redirects, decompression: decompression,
            configuration: TransportConfiguration(maximumConnectionsPerHost: settings.maximumConnectionsPerHost),
            settings: settings)
    }

    /// `configuration` is used but for its trust.
    package init(
        pinnedDomains: [String: any ServerTrustEvaluator], anchors: TrustAnchors,
        redirects: RedirectPolicy = .follow(), decompression: Decompression = .on(),
        configuration: TransportConfiguration
    ) {
        self.init(
            pinnedDomains: pinnedDomains, anchors: anchors, redirects: redirects, decompression: decompression,
            configuration: configuration, settings: SessionSettings(.default))
    }

    private init(
        pinnedDomains: [String: any ServerTrustEvaluator], anchors: TrustAnchors, redirects: RedirectPolicy,
        decompression: Decompression, configuration: TransportConfiguration, settings: SessionSettings
    ) {
        var configuration = configuration
        configuration.trust = .evaluators(pinnedDomains, anchors: anchors)
        self.transport = HTTPClientTransport(
            configuration: configuration, redirects: redirects, decompression: decompression)
        self.settings = settings
    }

    /// Throws what ``HTTPClientTransport`` throws, or ``UnsupportedConfigurationError``.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (request, options) = try settings.applied(to: request)
        return try await transport.data(for: request, options)
    }
}

/// What an evaluator of your own may throw about a server: GentleNetworking's cases. Holdfast's evaluators throw a
/// `TrustFinding` with the facts instead.
public enum ServerTrustError: Error, Hashable, Sendable {
    /// The chain is not valid for the host.
    case trustEvaluationFailed
    /// The server sent no certificate.
    case noCertificateFound
    /// No certificate has a key that can be read.
    case noPublicKeyFound
    /// No certificate or key is pinned for this host.
    case certificatePinningFailed(host: String)
}
