/// What judges the connections of one client: the anchors, the policy or the evaluators, and the mode.
///
/// Every transport of Holdfast takes one, and there is no way to open a TLS connection without one. Making a context
/// does no I/O; the machine's roots are read at the first judgement.
public struct TrustContext: Sendable {
    /// A name for logs and verdicts.
    public let name: String
    private let body: @Sendable (PresentedChain, TrustSubject, Timestamp) -> TrustEvaluation
    private let cache: VerdictCache?
    package let readSnapshot: (@Sendable () -> PolicySnapshot)?
    /// Says that the policy inside has changed; `nil` for a context whose policy does not change. The first element comes
    /// at once. For transports, which judge their open connections again.
    package let policyChanges: (@Sendable () -> AsyncStream<PolicySnapshot>)?
    /// Told of every verdict.
    private var sink: (any TrustEventSink)?

    /// `isCacheable` says that a judgement given at once depends on nothing but its arguments, the context and the
    /// machine's roots. `snapshot` reads the policy of a context whose policy can change, and `changes` says that it did.
    package init(
        name: String, isCacheable: Bool = false, snapshot: (@Sendable () -> PolicySnapshot)? = nil,
        changes: (@Sendable () -> AsyncStream<PolicySnapshot>)? = nil,
        judge: @escaping @Sendable (PresentedChain, TrustSubject, Timestamp) -> TrustEvaluation
    ) {
        self.name = name
        self.body = judge
        self.cache = isCacheable ? VerdictCache() : nil
        self.readSnapshot = snapshot
        self.policyChanges = changes
    }

    /// Another number whenever the context judges by another policy than before; always 0 for a context whose policy does
    /// not change. A connection that was judged under another number is to be judged again.
    public var revision: UInt64 { readSnapshot?().revision ?? 0 }

    /// The same context with no memory: every chain is judged anew. For measurements, and for those who want it so.
    public func withoutVerdictCache() -> TrustContext {
        var context = TrustContext(name: name, snapshot: readSnapshot, changes: policyChanges, judge: body)
        context.sink = sink
        return context
    }

    /// The same context, which tells `sink` of each of its verdicts: of new connections over whatever transport, of those that
    /// the verdict cache answered, and of open connections that a changed policy has judged again. A sink that the context
    /// had before is told no more; `nil`: nobody is.
    ///
    /// A handshake that ended before there was a judgement (time-out, unusable certificate) has no part in it: no pin was compared.
    public func reporting(to sink: (any TrustEventSink)?) -> TrustContext {
        var context = self
        context.sink = sink
        return context
    }

    /// Who is told of the verdicts, for those who make one context of another.
    var reporter: (any TrustEventSink)? { sink }

    /// Judges what a server presented. Pure but for the reading of the machine's roots; called from any thread, and
    /// expensive enough (signature checks) to be kept off event loops.
    public func judge(_ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp) -> TrustEvaluation {
        let generation = generation
        let judgement = body(chain, subject, time)
        // A judgement during which the roots or the policy changed may rest on either, and is not kept.
        if let cache, case .now(let verdict) = judgement, generation == self.generation {
            cache.store(verdict, on: chain.digest, for: subject, generation, until: readSnapshot?().freshUntil)
        }
        return recorded(judgement)
    }

    private func recorded(_ judgement: TrustEvaluation) -> TrustEvaluation {
        guard let sink else { return judgement }
        switch judgement {
        case .now(let verdict):
            sink.record(verdict)
            return judgement
        case .later(let evaluate):
            return .later {
                let verdict = await evaluate()
                sink.record(verdict)
                return verdict
            }
        }
    }

    /// The verdict on these certificates, if the same ones were accepted for the same host within the last minute. Cheap
    /// enough for an event loop: one hash over the bytes and one look-up.
    package func cachedVerdict(on der: [[UInt8]], for subject: TrustSubject, at time: Timestamp) -> TrustVerdict? {
        guard let verdict = cache?.verdict(on: ChainDigest(der), for: subject, at: time, generation) else { return nil }
        sink?.record(verdict)
        return verdict
    }

    private var generation: VerdictCache.Generation {
        VerdictCache.Generation(roots: SystemRootStore.shared.generation, policy: revision)
    }
}

extension TrustContext {
    /// The system verification alone: a valid path to `anchors` for the host.
    public static func system(anchors: TrustAnchors = .system) -> TrustContext {
        let engine = TrustEngine(anchors: anchors)
        return TrustContext(name: "system", isCacheable: true) { .now(engine.evaluate($0, for: $1, at: $2)) }
    }

    /// A policy: pins for the hosts that it names, the system verification for all, pinned or not.
    public static func policy(_ policy: PinningPolicy, anchors: TrustAnchors = .system) -> TrustContext {
        let engine = TrustEngine(anchors: anchors)
        return TrustContext(name: policy.name, isCacheable: true) {
            .now(engine.evaluate($0, for: $1, at: $2, under: policy))
        }
    }

    /// A policy that can be exchanged while the context is in use: each judgement takes the one in force.
    public static func policies(_ holder: PolicyHolder, anchors: TrustAnchors = .system) -> TrustContext {
        let engine = TrustEngine(anchors: anchors)
        return TrustContext(
            name: holder.snapshot.policy.name, isCacheable: true, snapshot: { holder.snapshot },
            changes: { holder.changes }
        ) { chain, subject, time in
            let snapshot = holder.snapshot
            var verdict = engine.evaluate(chain, for: subject, at: time, under: snapshot.policy)
            if let staleness = snapshot.staleness(at: time) { verdict.notices.append(staleness) }
            return .now(verdict)
        }
    }

    /// A table of evaluators by domain. A host that is not listed falls through to the system verification. Domains
    /// are compared in canonical form, exactly: a subdomain needs an entry of its own. A key that is no host, or a host
    /// that is listed twice, yields a context that refuses every connection, with that reason.
    public static func evaluators(
        _ table: [String: any ServerTrustEvaluator], anchors: TrustAnchors = .system
    ) -> TrustContext {
        let table = EvaluatorTable(table, anchors: anchors)
        return TrustContext(name: EvaluatorTable.name, isCacheable: true) { table.judge($0, for: $1, at: $2) }
    }

    /// The chat SDK's mode: the listed keys take the place of the system verification. See ``PinnedKeysOnly``.
    public static func pinnedKeysOnly(_ pins: PinnedKeysOnly) -> TrustContext {
        let verification = PinnedKeysVerification(pins: pins)
        return TrustContext(name: PinnedKeysVerification.name, isCacheable: true) {
            .now(verification.evaluate($0, for: $1, at: $2))
        }
    }

    /// No verification at all: every certificate is accepted, an attacker's too.
    public static func dangerouslyAcceptAnyCertificate() -> TrustContext {
        let evaluator = DangerouslyAcceptAnyCertificate()
        return TrustContext(name: anyCertificateName) {
            .now(evaluator.verdict(on: $0, for: $1, at: $2, anchors: .only([])))
        }
    }

    static let anyCertificateName = "DANGEROUS: any certificate"
}

extension TrustContext {
    /// The same context, which then asks whether a certificate of the path that it accepted was revoked.
    ///
    /// Nothing is asked where the context refuses. Verdicts are not kept: the evaluator keeps the authorities' answers.
    public func checkingRevocation(with evaluator: OCSPRevocationEvaluator) -> TrustContext {
        // One connection has one verdict: a sink is told of the last one.
        let inner = reporting(to: nil)
        return TrustContext(name: name, snapshot: readSnapshot, changes: policyChanges) { chain, subject, time in
            let judgement = inner.judge(chain, for: subject, at: time)
            if case .now(let verdict) = judgement, !verdict.permitsConnection { return judgement }
            return .later {
                let verdict = await judgement.verdict()
                return verdict.permitsConnection ? await evaluator.checked(verdict) : verdict
            }
        }.reporting(to: reporter)
    }
}

extension TrustContext {
    /// What a transport asks on its event loop before it judges: the verdict on these certificates, if the same ones were
    /// accepted for the same host within the last minute. For measurements.
    @_spi(Benchmarks) public func rememberedVerdict(
        on der: [[UInt8]], for subject: TrustSubject, at time: Timestamp
    ) -> TrustVerdict? {
        cachedVerdict(on: der, for: subject, at: time)
    }
}

/// What ``TrustContext/judge(_:for:at:)`` returns: a verdict at once, or later if an asynchronous evaluator takes part.
public enum TrustEvaluation: Sendable {
    /// Decided.
    case now(TrustVerdict)
    /// An asynchronous evaluator has to be awaited. The closure never throws: a refusal is a verdict.
    case later(@Sendable () async -> TrustVerdict)

    /// The verdict, awaited where need be. It has no time limit of its own: a transport's TLS deadline is one.
    public func verdict() async -> TrustVerdict {
        switch self {
        case .now(let verdict): verdict
        case .later(let decide): await decide()
        }
    }
}
