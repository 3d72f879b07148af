public import Metrics
import NIOCore
import NIOSSL
import Synchronization

/// TLS settings of a client other than its server verification.
///
/// Make one instance and keep it: it caches one TLS library context for each list of application protocols. Usable from
/// any thread.
public final class TLSClientOptions: Sendable {
    /// The process-wide default: no client certificate and no secret logging.
    public static let standard = TLSClientOptions()

    private let identity: ClientIdentity?
    private let secrets: (@Sendable (String) -> Void)?
    /// The metrics of handshakes; `nil` if metrics are disabled.
    let metrics: TLSMetrics?
    private let contexts = Mutex<[[String]: NIOSSLContext]>([:])

    /// Makes options.
    ///
    /// - Parameters:
    ///   - identity: The client certificate for servers that request one.
    ///   - secrets: Receives the secrets of every connection, one `SSLKEYLOGFILE` line at a time,
    ///     without a line break. Anyone with these secrets can read, and in part forge, the whole connection, so use
    ///     this only for debugging. Called on event loops; it must not block.
    ///   - metrics: The factory for metrics; by default `MetricsSystem.factory` at the time of this call. ``standard``
    ///     reads the default at its first use. Nothing is measured with swift-metrics' no-op factory.
    public init(
        identity: ClientIdentity? = nil, dangerouslyRevealingSecretsTo secrets: (@Sendable (String) -> Void)? = nil,
        metrics: (any MetricsFactory)? = nil
    ) {
        self.identity = identity
        self.secrets = secrets
        self.metrics = TLSMetrics(metrics ?? MetricsSystem.factory)
    }

    /// Returns the context that offers these protocols. Rethrows the NIOSSL error if it cannot be made.
    func context(applicationProtocols: [String]) throws -> NIOSSLContext {
        try contexts.withLock { contexts in
            if let context = contexts[applicationProtocols] { return context }
            var configuration = TLSFloor.configuration(applicationProtocols: applicationProtocols)
            identity?.apply(to: &configuration)
            if let secrets {
                configuration.keyLogCallback = { buffer in
                    for line in String(buffer: buffer).split(whereSeparator: \.isNewline) { secrets(String(line)) }
                }
            }
            let context = try NIOSSLContext(configuration: configuration)
            contexts[applicationProtocols] = context
            return context
        }
    }
}
