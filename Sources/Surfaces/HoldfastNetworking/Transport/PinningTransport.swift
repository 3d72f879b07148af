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
/// The system verification decides about domains that are not listed. Domains are compared exactly, in canonical form:
/// upper case, a trailing dot or percent-encoding do not bypass pinning. A subdomain needs its own entry. An invalid
/// host as a key makes every connection fail with that reason. A refusal reaches the caller as a `TransportError` with
/// the verdict.
public struct PinningTransport: HTTPTransportProtocol {
    private let transport: HTTPClientTransport
    private let settings: SessionSettings

    /// Makes a transport with its own connections.
    ///
    /// - Parameters:
    ///   - pinnedDomains: The evaluator for each domain.
    ///   - configuration: Provides the timeouts, the connection limit per host and additional header fields. An
    ///     unsupported property makes every request fail with ``UnsupportedConfigurationError``.
    ///   - anchors: The roots for the system verification of unlisted domains and for custom evaluators.
    ///   - redirects: The handling of redirects. By default at most ten are followed, never from `https:` to `http:`.
    ///     The evaluator of a redirect's domain is asked as if the caller had named the domain.
    ///   - decompression: Whether compressed bodies are requested and decompressed. On by default. A body that exceeds
    ///     the limits fails with `decompressedTooLarge`.
    ///   - logs: The certificate transparency logs for each `CertificateTransparencyEvaluator` without its own logs.
    ///     Without them, these domains are refused with `logListMissing`.
    ///   - certificatePolicies: The inputs of the system verification for certificate policies, for all domains.
    public init(
        pinnedDomains: [String: any ServerTrustEvaluator], configuration: URLSessionConfiguration = .default,
        anchors: TrustAnchors = .system, redirects: RedirectPolicy = .follow(), decompression: Decompression = .on(),
        logs: TransparencyLogHolder? = nil, certificatePolicies: CertificatePolicyInputs = .anyPolicy
    ) {
        let settings = SessionSettings(configuration)
        self.init(
            trust: .evaluators(
                pinnedDomains, anchors: anchors, logs: logs, certificatePolicies: certificatePolicies),
            redirects: redirects, decompression: decompression,
            configuration: TransportConfiguration(maximumConnectionsPerHost: settings.maximumConnectionsPerHost),
            settings: settings)
    }

    /// Makes a transport. Uses all settings of `configuration` except its trust.
    package init(
        pinnedDomains: [String: any ServerTrustEvaluator], anchors: TrustAnchors,
        redirects: RedirectPolicy = .follow(), decompression: Decompression = .on(),
        logs: TransparencyLogHolder? = nil, certificatePolicies: CertificatePolicyInputs = .anyPolicy,
        configuration: TransportConfiguration
    ) {
        self.init(
            trust: .evaluators(
                pinnedDomains, anchors: anchors, logs: logs, certificatePolicies: certificatePolicies),
            redirects: redirects, decompression: decompression, configuration: configuration,
            settings: SessionSettings(.default))
    }

    private init(
        trust: TrustContext, redirects: RedirectPolicy, decompression: Decompression,
        configuration: TransportConfiguration, settings: SessionSettings
    ) {
        var configuration = configuration
        configuration.trust = trust
        self.transport = HTTPClientTransport(
            configuration: configuration, redirects: redirects, decompression: decompression)
        self.settings = settings
    }

    /// Sends a request. Throws the errors of ``HTTPClientTransport``, or ``UnsupportedConfigurationError``.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (request, options) = try settings.applied(to: request)
        return try await transport.data(for: request, options)
    }
}

/// Errors that your own evaluator may throw about a server, named as in GentleNetworking. Holdfast's evaluators throw a
/// `TrustFinding` with the facts instead.
///
/// - Remedy: Handle it like a refused server: do not retry without a new verdict.
public enum ServerTrustError: Error, Hashable, Sendable {
    /// The chain is not valid for the host.
    case trustEvaluationFailed
    /// The server sent no certificate.
    case noCertificateFound
    /// No certificate has a readable key.
    case noPublicKeyFound
    /// No pinned certificate or key matches for this host.
    case certificatePinningFailed(host: String)
}
