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

/// Accepts every server, an attacker's too.
///
/// In Holdfast's own transports it leaves the system verification on: to switch that off as well, the context has to be made
/// with `dangerouslyReplacingSystemTrust`.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Makes the evaluator.
    public init() {}

    /// Returns.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {}
}

/// Alamofire's older name.
@available(*, deprecated, renamed: "DisabledTrustEvaluator")
public typealias DisabledEvaluator = DisabledTrustEvaluator
