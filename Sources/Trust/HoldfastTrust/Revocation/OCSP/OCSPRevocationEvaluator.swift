/// Runs system verification, then asks the authorities whether a certificate of the verified path was revoked (OCSP,
/// RFC 6960).
///
/// The certificates and the addresses of the responders come from the verified path, not from other certificates that
/// the server presents. Answers are cached until they expire, in one cache for all copies of this value. A revocation
/// stays in force until a newer verified answer reports the certificate as good, also in soft fail.
///
/// In ``CompositeEvaluator/all(_:)`` after evaluators that pin, this evaluator checks the path that they accepted.
/// Stapled answers are not used, because NIOSSL does not expose them.
public struct OCSPRevocationEvaluator: ContextEvaluator {
    private let anchors: TrustAnchors?
    private let clock: TrustClock
    private let run: RevocationRun

    /// Creates an evaluator that sends its requests with `requester`. Paths end in `anchors`, in the anchors of the
    /// context that uses the evaluator, or in the machine's roots.
    public init(
        requester: any OCSPRequester, options: OCSPOptions = OCSPOptions(), anchors: TrustAnchors? = nil,
        clock: TrustClock = .system
    ) {
        self.init(requester: requester, options: options, anchors: anchors, clock: clock) {
            try await ContinuousClock().sleep(for: $0)  // reason: the only place that waits; tests replace it
        }
    }

    package init(
        requester: any OCSPRequester, options: OCSPOptions, anchors: TrustAnchors? = nil, clock: TrustClock = .system,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.anchors = anchors
        self.clock = clock
        let cache = OCSPAnswerCache(capacity: options.cachedAnswers)
        let source = OCSPSource(
            requester: requester, hash: options.hash, nonce: options.nonce,
            maximumAge: options.maximumAge.components.seconds, cache: cache)
        let timeout = options.timeout
        run = RevocationRun(
            failure: options.failure, scope: options.scope, timeout: timeout, wait: wait,
            outcome: { link, time in
                if let known = source.known(link, at: time) { return known }
                let attempts = source.attempts(about: link, at: time)
                let none = OCSPError(.noResponder, "the certificate names no usable responder")
                return await RevocationAttempts(share: timeout / max(1, attempts.count), wait: wait)
                    .first(attempts, otherwise: .unavailable(RevocationFailure(none)))
            },
            revocation: { cache.revocation(for: $0.key) })
    }

    /// Returns if the chain is valid for the host and no certificate on its path was revoked. Otherwise throws
    /// ``TrustRefusal``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        let verdict = await (try judge(trust, host: host, anchors: anchors, clock: clock)).verdict()
        guard verdict.permitsConnection else { throw TrustRefusal(verdict) }
    }

    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        run.judge(evaluation, anchors: anchors)
    }

    /// Checks the path of a verdict that accepted the server, and returns the resulting verdict.
    func checked(_ verdict: TrustVerdict) async -> TrustVerdict { await run.checked(verdict) }
}
