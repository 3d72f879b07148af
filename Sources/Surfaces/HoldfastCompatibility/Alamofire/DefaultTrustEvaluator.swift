public import HoldfastTrust

/// The system verification.
public struct DefaultTrustEvaluator: FullyVerifying {
    private let verification: DocumentedVerification

    /// Verifies the chain, and that it is for the host unless `validateHost` is off: then the certificate of any host
    /// whatsoever will do.
    public init(validateHost: Bool = true, anchors: TrustAnchors? = nil, clock: TrustClock = .system) {
        verification = DocumentedVerification(
            checksPath: true, checksHost: validateHost, anchors: anchors, clock: clock)
    }

    /// Throws ``AFError`` with `defaultEvaluationFailed` or `hostValidationFailed`.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let trust = ServerTrust(trust)
        _ = try verification.path(of: trust, for: verification.host(host, trust))
    }

    var verifiesFully: Bool { verification.isComplete }
}
