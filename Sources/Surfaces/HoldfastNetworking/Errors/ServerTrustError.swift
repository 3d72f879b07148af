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
