import HoldfastTrust

/// The checks that Alamofire's evaluators share, implemented with Holdfast's engine.
struct DocumentedVerification: Sendable {
    /// `performDefaultValidation`: whether a valid path to an anchor is required, for any host.
    var checksPath: Bool
    /// `validateHost`: whether a valid path for this host is required.
    var checksHost: Bool
    /// The anchors of verified paths; `nil` uses the anchors of the calling context, otherwise the machine's roots.
    var anchors: TrustAnchors?
    /// The clock, unless the calling context provides one.
    var clock: TrustClock

    /// Whether any check is enabled.
    var isOn: Bool { checksPath || checksHost }
    /// Whether all checks of the system verification are enabled.
    var isComplete: Bool { checksHost }

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
        guard isOn else { return nil }
        let engine = TrustEngine(anchors: anchors ?? scope?.anchors ?? .system)
        let (finding, path) = engine.verify(trust.presented, host: checksHost ? host : nil, at: time)
        if finding.isFavourable { return path }
        let output = AFError.ServerTrustFailureReason.Output(host: host.text, trust: trust, finding: finding)
        throw .serverTrustEvaluationFailed(
            reason: finding.code == .hostMismatch || !checksPath
                ? .hostValidationFailed(output: output) : .defaultEvaluationFailed(output: output))
    }

    /// Returns the replacement for a verified path if neither check is enabled. It consists of the server's own
    /// certificate if its key is listed, or of the path of verified signatures to an authority with a listed key. A
    /// copy of a pinned certificate in an attacker's chain is on neither.
    func linkedPath(of trust: ServerTrust, for host: CanonicalHost, to pins: PinnedKeysOnly) -> VerifiedPath? {
        PinnedKeysOnlyEvaluator(pins).verdict(
            on: trust.presented, for: TrustSubject(host: host), at: time, anchors: .only([])
        ).path
    }
}

/// An evaluator that may omit parts of the system verification and knows whether it does.
protocol FullyVerifying: ServerTrustEvaluating {
    /// Whether it verifies at least as much as the system verification, with its own or the context's anchors.
    /// Holdfast's transports then skip their own system verification.
    var verifiesFully: Bool { get }
}
