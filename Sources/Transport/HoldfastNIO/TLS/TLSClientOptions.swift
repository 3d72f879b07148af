public import Metrics
import NIOCore
import NIOSSL
import Synchronization

/// What a client does in its handshakes beside judging the server. Make one and keep it: it holds the TLS library's
/// contexts, one for each list of application protocols. May be used from any thread.
public final class TLSClientOptions: Sendable {
    /// No client certificate, no secrets written anywhere. One for the whole process.
    public static let standard = TLSClientOptions()

    private let identity: ClientIdentity?
    private let secrets: (@Sendable (String) -> Void)?
    /// What is measured; `nil` where metrics are thrown away.
    let metrics: TLSMetrics?
    private let contexts = Mutex<[[String]: NIOSSLContext]>([:])

    /// Makes options.
    ///
    /// - Parameters:
    ///   - identity: What is shown to servers that ask who this client is.
    ///   - dangerouslyRevealingSecretsTo: Gets the secrets of every connection, one line at a time in the format of
    ///     `SSLKEYLOGFILE`, without a line break. Whoever has them reads, and in part forges, the whole connection. For
    ///     debugging alone. Called on event loops: it must not block for long.
    ///   - metrics: Where metrics go; by default to the process-wide `MetricsSystem.factory` as it is now, for
    ///     ``standard`` as it is when that is first used. Nothing is measured where that is swift-metrics' no-op.
    public init(
        identity: ClientIdentity? = nil, dangerouslyRevealingSecretsTo secrets: (@Sendable (String) -> Void)? = nil,
        metrics: (any MetricsFactory)? = nil
    ) {
        self.identity = identity
        self.secrets = secrets
        self.metrics = TLSMetrics(metrics ?? MetricsSystem.factory)
    }

    /// The context that offers these protocols. Throws what NIOSSL throws when it cannot make one.
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
