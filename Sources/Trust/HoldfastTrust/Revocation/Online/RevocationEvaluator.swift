/// Runs system verification, then checks whether a certificate of the verified path was revoked: by OCSP (RFC 6960), or
/// by the revocation lists of its authority (RFC 5280).
///
/// For each certificate, in this order:
///
/// 1. A known revocation or a cached answer applies.
/// 2. A short-lived server certificate is exempt (``RevocationOptions/exemptsShortLived``).
/// 3. The OCSP responders that the certificate names are asked, if there is an OCSP requester.
/// 4. If there is no usable OCSP answer, the lists at the certificate's distribution points are used, if there is a
///    list requester. With ``RevocationOptions/prefersLists``, the lists are used before OCSP.
/// 5. Without a usable answer, ``RevocationOptions/failure`` decides.
///
/// The addresses come from the verified path, not from other certificates that the server presents. Answers and lists
/// are verified, then cached in one cache for all copies of this value. A revocation stays in force until a newer
/// verified answer or list reports the certificate as good, also in soft fail. A list that could not be fetched or used
/// is not fetched again for ``RevocationOptions/listFailureInterval``.
///
/// In ``CompositeEvaluator/all(_:)`` after evaluators that pin, this evaluator checks the path that they accepted.
/// Deliberately not used: stapled answers, because NIOSSL does not expose them, and delta lists at `freshestCRL`.
///
/// Can be used from any thread. A list is read and verified on the calling executor, in time linear in its size.
public struct RevocationEvaluator: ContextEvaluator {
    private let anchors: TrustAnchors?
    private let clock: TrustClock
    private let run: RevocationRun

    /// Creates an evaluator. Paths end in `anchors`, in the anchors of the context that uses the evaluator, or in the
    /// machine's roots.
    ///
    /// - Parameters:
    ///   - lists: Fetches revocation lists. `nil` to use only OCSP.
    ///   - ocsp: Sends OCSP requests. `nil` to use only lists.
    ///   - options: What is checked, limits and timeouts.
    ///   - anchors: The trust anchors.
    ///   - clock: The clock, if no context calls the evaluator.
    public init(
        lists: (any RevocationListRequester)?, ocsp: (any OCSPRequester)?,
        options: RevocationOptions = RevocationOptions(), anchors: TrustAnchors? = nil, clock: TrustClock = .system
    ) {
        self.init(lists: lists, ocsp: ocsp, options: options, anchors: anchors, clock: clock) {
            try await ContinuousClock().sleep(for: $0)  // reason: the only place that waits; tests replace it
        }
    }

    package init(
        lists: (any RevocationListRequester)?, ocsp: (any OCSPRequester)?, options: RevocationOptions,
        anchors: TrustAnchors? = nil, clock: TrustClock = .system,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.anchors = anchors
        self.clock = clock
        let memory = OCSPAnswerCache(capacity: options.cachedAnswers)
        let sources = RevocationSources(
            ocsp: ocsp.map { requester in
                OCSPSource(
                    requester: requester, hash: options.hash, nonce: options.nonce,
                    maximumAge: options.maximumAnswerAge.components.seconds, cache: memory)
            },
            lists: lists.map { requester in
                RevocationListSource(
                    requester: requester, maximumSize: min(max(0, options.maximumListSize), RevocationList.maximumSize),
                    refreshInterval: options.listRefreshInterval.components.seconds,
                    cache: RevocationListCache(
                        capacity: options.cachedLists, byteCapacity: options.cachedListBytes),
                    failures: RevocationListFailures(lifetime: options.listFailureInterval.components.seconds),
                    memory: memory)
            },
            memory: memory, exemptsShortLived: options.exemptsShortLived, prefersLists: options.prefersLists,
            timeout: options.timeout, wait: wait)
        run = RevocationRun(
            failure: options.failure, scope: options.scope, timeout: options.timeout, wait: wait,
            reportsGood: options.reportsGood, outcome: { await sources.outcome(of: $0, at: $1) },
            revocation: { memory.revocation(for: $0.key) })
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

/// The sources of answers about one certificate, in order.
private struct RevocationSources: Sendable {
    var ocsp: OCSPSource?
    var lists: RevocationListSource?
    var memory: OCSPAnswerCache
    var exemptsShortLived: Bool
    var prefersLists: Bool
    var timeout: Duration
    var wait: @Sendable (Duration) async throws -> Void

    func outcome(of link: RevocationLink, at time: Timestamp) async -> RevocationOutcome {
        if let known = memory.answer(for: link.key, at: time) {
            return RevocationOutcome(known, source: "a cached answer reports this")
        }
        if exemptsShortLived, link.index == 0, !link.pointers.asksForStaple,
            let reason = ShortLivedRule.reason(for: link.certificate)
        {
            return .exempt(reason)
        }
        let answers = ocsp?.attempts(about: link, at: time) ?? []
        let listed = lists?.attempts(about: link, at: time) ?? []
        let attempts = prefersLists ? listed + answers : answers + listed
        let none = RevocationListError(
            .noDistributionPoint, "the certificate names neither a usable responder nor a usable distribution point")
        return await RevocationAttempts(share: timeout / max(1, attempts.count), wait: wait)
            .first(attempts, otherwise: .unavailable(RevocationFailure(none)))
    }
}
