import HoldfastTrust

/// The checks that Alamofire's evaluators have in common, on Holdfast's engine.
struct DocumentedVerification: Sendable {
    /// `performDefaultValidation`: a valid path to an anchor, whatever the host.
    var checksPath: Bool
    /// `validateHost`: a valid path, for this host.
    var checksHost: Bool
    /// Where paths may end; `nil`: in the anchors of the context that asks, else in the machine's roots.
    var anchors: TrustAnchors?
    /// Where the time comes from, unless a context asks.
    var clock: TrustClock

    /// Whether anything is verified at all.
    var isOn: Bool { checksPath || checksHost }
    /// Whether nothing that system trust looks at is left out.
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

    /// The verified path; `nil` if neither check is on.
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

    /// What stands in the place of a verified path where neither check is on: the server's own certificate if its key is
    /// listed, or the path of verified signatures to an authority with a listed key. A copy of a pinned certificate in an
    /// attacker's chain is on neither.
    func linkedPath(of trust: ServerTrust, for host: CanonicalHost, to pins: PinnedKeysOnly) -> VerifiedPath? {
        PinnedKeysOnlyEvaluator(pins).verdict(
            on: trust.presented, for: TrustSubject(host: host), at: time, anchors: .only([])
        ).path
    }
}

/// An evaluator that may leave parts of the system verification out, and knows whether it does.
protocol FullyVerifying: ServerTrustEvaluating {
    /// Whether it verifies at least what the system verification does, with anchors that were given to it or with the
    /// context's. Holdfast's transports then need not do the same before it.
    var verifiesFully: Bool { get }
}
