public import HoldfastTrust

/// An evaluator that performs the system verification.
public struct DefaultTrustEvaluator: FullyVerifying {
    let verification: DocumentedVerification

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

/// The checks that Alamofire's evaluators share, implemented with Holdfast's engine.
struct DocumentedVerification: Sendable {
    /// `performDefaultValidation`: whether a valid path to an anchor is required, for any host.
    var checksPath: Bool
    /// `validateHost`: whether a valid path for this host is required.
    var checksHost: Bool
    /// The anchors of verified paths; `nil` uses the anchors of the calling context, otherwise the machine's roots. The
    /// certificate policies are always those of the calling context.
    var anchors: TrustAnchors?
    /// The clock, unless the calling context provides one.
    var clock: TrustClock

    private var scope: EvaluationScope? { EvaluationScope.current }
    private var time: Timestamp { scope?.time ?? clock.now() }

    func host(_ text: String, _ trust: ServerTrust) throws(AFError) -> CanonicalHost {
        do throws(HostError) {
            return try CanonicalHost(text)
        } catch {
            let invalidParameter: Int32 = -50
            throw .serverTrustEvaluationFailed(
                reason: .policyApplicationFailed(trust: trust, policy: text, status: invalidParameter))
        }
    }

    /// Returns the verified path; `nil` if neither check is enabled.
    func path(of trust: ServerTrust, for host: CanonicalHost) throws(AFError) -> VerifiedPath? {
        guard checksPath || checksHost else { return nil }
        let engine = (scope?.engine ?? TrustEngine()).with(anchors: anchors)
        let (finding, path) = engine.verify(trust.presented, host: checksHost ? host : nil, at: time)
        if finding.isFavourable { return path }
        let output = AFError.ServerTrustFailureReason.Output(host: host.text, trust: trust, finding: finding)
        throw .serverTrustEvaluationFailed(
            reason: finding.code == .hostMismatch || !checksPath
                ? .hostValidationFailed(output: output) : .defaultEvaluationFailed(output: output))
    }

    /// Returns the verified path, or its replacement if neither check is enabled. The replacement consists of the
    /// server's own certificate if its key is listed, or of the path of verified signatures to an authority with a
    /// listed key. A copy of a pinned certificate in an attacker's chain is on neither.
    func path(
        of trust: ServerTrust, for host: CanonicalHost, orLinkedTo pins: PinnedKeysOnly
    ) throws(AFError) -> VerifiedPath? {
        if let path = try path(of: trust, for: host) { return path }
        let evaluator = PinnedKeysOnlyEvaluator(pins)
        return evaluator.verdict(
            on: trust.presented, for: TrustSubject(host: host), at: time, by: TrustEngine(anchors: .only([]))
        ).path
    }
}

/// An evaluator that may omit parts of the system verification and knows whether it does.
protocol FullyVerifying: ServerTrustEvaluating {
    /// If it checks the host, the evaluator verifies at least as much as the system verification, with its own or the
    /// context's anchors. Holdfast's transports then skip their own system verification.
    var verification: DocumentedVerification { get }
}
