public import HoldfastTrust

/// An evaluator that performs the system verification.
public struct DefaultTrustEvaluator: FullyVerifying {
    private let verification: DocumentedVerification

    /// Makes an evaluator that verifies the chain for the host. If `validateHost` is `false`, a certificate for any
    /// host is accepted.
    public init(validateHost: Bool = true, anchors: TrustAnchors? = nil, clock: TrustClock = .system) {
        verification = DocumentedVerification(
            checksPath: true, checksHost: validateHost, anchors: anchors, clock: clock)
    }

    /// Evaluates a server. Throws ``AFError`` with `defaultEvaluationFailed` or `hostValidationFailed`.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let trust = ServerTrust(trust)
        _ = try verification.path(of: trust, for: verification.host(host, trust))
    }

    var verifiesFully: Bool { verification.isComplete }
}

/// An evaluator that accepts every server, including an attacker's.
///
/// In Holdfast's own transports, the system verification stays active. To disable it as well, make the context with
/// `dangerouslyReplacingSystemTrust`.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Makes the evaluator.
    public init() {}

    /// Accepts the server.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {}
}

/// Alamofire's older name.
@available(*, deprecated, renamed: "DisabledTrustEvaluator")
public typealias DisabledEvaluator = DisabledTrustEvaluator
