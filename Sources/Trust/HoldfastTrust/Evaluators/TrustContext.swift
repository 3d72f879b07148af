/// The trust configuration of a client: the anchors, the policy or the evaluators, and the mode.
///
/// Every transport requires one; a TLS connection cannot be opened without it. Creating a context does not perform I/O.
/// The system's roots are read at the first evaluation.
public struct TrustContext: Sendable {
    /// The name of the context in logs and verdicts.
    public let name: String
    private let body: @Sendable (PresentedChain, TrustSubject, Timestamp) -> TrustEvaluation
    private let cache: VerdictCache?
    /// Judges small chains on an event loop. `nil` for a context whose evaluations may take long or call other code.
    private var prompt: PromptJudge?
    package let readSnapshot: (@Sendable () -> PolicySnapshot)?
    /// Reports changes of the policy. `nil` for a context whose policy cannot change. The first element is available
    /// immediately. Transports use it to evaluate their open connections again.
    package let policyChanges: (@Sendable () -> AsyncStream<PolicySnapshot>)?
    private let logs: TransparencyLogHolder?
    /// Receives every verdict.
    private var sink: (any TrustEventSink)?

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - isCacheable: Whether a synchronous evaluation depends only on its arguments, the context and the system's
    ///     roots.
    ///   - snapshot: Returns the current policy, if the policy can change.
    ///   - changes: Reports changes of the policy.
    ///   - logs: The certificate transparency logs, if they can change.
    package init(
        name: String, isCacheable: Bool = false, snapshot: (@Sendable () -> PolicySnapshot)? = nil,
        changes: (@Sendable () -> AsyncStream<PolicySnapshot>)? = nil, logs: TransparencyLogHolder? = nil,
        judge: @escaping @Sendable (PresentedChain, TrustSubject, Timestamp) -> TrustEvaluation
    ) {
        self.name = name
        self.body = judge
        self.cache = isCacheable ? VerdictCache() : nil
        self.readSnapshot = snapshot
        self.policyChanges = changes
        self.logs = logs
    }

    /// Creates a context of Holdfast's own checks, whose verdicts are cached. Small chains can be judged on an event
    /// loop.
    ///
    /// - Parameter isReady: Whether an evaluation at this time reads no file and checks no certificate timestamps.
    private init(
        name: String, snapshot: (@Sendable () -> PolicySnapshot)? = nil,
        changes: (@Sendable () -> AsyncStream<PolicySnapshot>)? = nil, logs: TransparencyLogHolder? = nil,
        isReady: @escaping @Sendable (Timestamp) -> Bool, judge: @escaping PromptJudge.Judge
    ) {
        self.init(name: name, isCacheable: true, snapshot: snapshot, changes: changes, logs: logs) {
            .now(judge($0, $1, $2, .standard))
        }
        prompt = PromptJudge(isReady: isReady, judge: judge)
    }

    /// The revision of the policy, which changes with every policy; always 0 for a context whose policy cannot change.
    /// A connection that was evaluated with another revision must be evaluated again.
    public var revision: UInt64 { readSnapshot?().revision ?? 0 }

    /// Returns the same context without a verdict cache: every chain is evaluated. For measurements and special cases.
    public func withoutVerdictCache() -> TrustContext {
        var context = TrustContext(
            name: name, snapshot: readSnapshot, changes: policyChanges, logs: logs, judge: body)
        context.prompt = prompt
        context.sink = sink
        return context
    }

    /// Returns the same context with `sink` as the receiver of its verdicts, which replaces an earlier receiver. `nil`
    /// removes the receiver.
    ///
    /// The sink receives the verdicts on new connections of all transports, verdicts from the cache, and verdicts on
    /// open connections after a change of the policy. It does not receive handshakes that fail before an evaluation
    /// (timeout, unusable certificate), because no pin was compared.
    public func reporting(to sink: (any TrustEventSink)?) -> TrustContext {
        var context = self
        context.sink = sink
        return context
    }

    /// Evaluates the chain that a server presented.
    ///
    /// Pure except for reading the system's roots. Can be called from any thread. Checks signatures, and is therefore
    /// too expensive for event loops.
    public func judge(_ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp) -> TrustEvaluation {
        let generation = generation
        let judgement = body(chain, subject, time)
        if case .now(let verdict) = judgement { remember(verdict, on: chain, for: subject, generation) }
        return recorded(judgement)
    }

    /// Returns the verdict on a small chain if it is accepted after a few signature checks, or else `nil`. Then only
    /// ``judge(_:for:at:)`` gives the verdict, on a thread that may block.
    ///
    /// For event loops: reads no file, and the work is limited by ``PromptJudge/budget``. A refusal is never prompt,
    /// because its explanation takes a further search.
    package func promptVerdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp
    ) -> TrustVerdict? {
        let generation = generation
        guard let verdict = prompt?.verdict(on: chain, for: subject, at: time) else { return nil }
        remember(verdict, on: chain, for: subject, generation)
        sink?.record(verdict)
        return verdict
    }

    /// Whether ``promptVerdict(on:for:at:)`` may give a verdict on these certificates. Parses nothing.
    package func isPrompt(for der: [[UInt8]], at time: Timestamp) -> Bool {
        prompt?.applies(to: der, at: time) ?? false
    }

    /// Caches a verdict. If the roots or the policy have changed since its evaluation began, it may depend on either
    /// version and is not cached.
    private func remember(
        _ verdict: TrustVerdict, on chain: PresentedChain, for subject: TrustSubject, _ since: VerdictCache.Generation
    ) {
        guard let cache, since == generation else { return }
        cache.store(verdict, on: chain.digest, for: subject, since, until: readSnapshot?().noticesFrom)
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

    /// Returns the verdict on these certificates if the same certificates were accepted for the same host within the
    /// last minute. Cheap enough for event loops: one hash over the bytes and one lookup.
    package func cachedVerdict(on der: [[UInt8]], for subject: TrustSubject, at time: Timestamp) -> TrustVerdict? {
        guard let verdict = cache?.verdict(on: ChainDigest(der), for: subject, at: time, generation) else { return nil }
        sink?.record(verdict)
        return verdict
    }

    private var generation: VerdictCache.Generation {
        VerdictCache.Generation(
            roots: SystemRootStore.shared.generation, policy: revision, logs: logs?.revision ?? 0)
    }

    /// Returns a context with only the system verification: a valid path to `anchors` for the host.
    ///
    /// With `certificatePolicies`, the path must also be valid for acceptable certificate policies (RFC 5280, 6.1.1).
    public static func system(
        anchors: TrustAnchors = .system, certificatePolicies: CertificatePolicyInputs = .anyPolicy
    ) -> TrustContext {
        let engine = TrustEngine(anchors: anchors, certificatePolicies: certificatePolicies).rememberingLinks()
        return TrustContext(name: "system", isReady: anchors.isReady) { chain, subject, time, budget in
            engine.with(budget: budget).evaluate(chain, for: subject, at: time)
        }
    }

    /// Returns a context with a policy: pins for the hosts that it names, and the system verification for all hosts.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - anchors: The certificates in which verified paths may end.
    ///   - logs: The certificate transparency logs for rules that require certificate timestamps. Without them, the
    ///     hosts of these rules are refused with `logListMissing`.
    ///   - certificatePolicies: The inputs of the system verification for certificate policies (RFC 5280, 6.1.1). They
    ///     apply to all hosts, with and without pins.
    public static func policy(
        _ policy: PinningPolicy, anchors: TrustAnchors = .system, logs: TransparencyLogHolder? = nil,
        certificatePolicies: CertificatePolicyInputs = .anyPolicy
    ) -> TrustContext {
        let engine = TrustEngine(anchors: anchors, certificatePolicies: certificatePolicies).rememberingLinks()
        let checksTimestamps = policy.requiresTransparency
        return TrustContext(
            name: policy.name, logs: logs, isReady: { !checksTimestamps && anchors.isReady(at: $0) }
        ) { chain, subject, time, budget in
            engine.with(logs).with(budget: budget).evaluate(chain, for: subject, at: time, under: policy)
        }
    }

    /// Returns a context whose policy can be replaced during use. Each evaluation uses the policy in force.
    ///
    /// The other parameters are those of ``policy(_:anchors:logs:certificatePolicies:)``.
    public static func policies(
        _ holder: PolicyHolder, anchors: TrustAnchors = .system, logs: TransparencyLogHolder? = nil,
        certificatePolicies: CertificatePolicyInputs = .anyPolicy
    ) -> TrustContext {
        let engine = TrustEngine(anchors: anchors, certificatePolicies: certificatePolicies).rememberingLinks()
        return TrustContext(
            name: holder.snapshot.policy.name, snapshot: { holder.snapshot }, changes: { holder.changes }, logs: logs,
            isReady: { !holder.snapshot.policy.requiresTransparency && anchors.isReady(at: $0) }
        ) { chain, subject, time, budget in
            let snapshot = holder.snapshot
            var verdict = engine.with(logs).with(budget: budget)
                .evaluate(chain, for: subject, at: time, under: snapshot.policy)
            verdict.notices += snapshot.notices(at: time)
            return verdict
        }
    }

    /// Returns a context with evaluators by domain. A host that is not listed uses the system verification.
    ///
    /// Domains are compared exactly in canonical form: a subdomain needs its own entry. If a key is not a valid host,
    /// or a host is listed twice, the context refuses every connection, with a reason that says so.
    ///
    /// - Parameters:
    ///   - table: The evaluators.
    ///   - anchors: The certificates in which verified paths may end, except for evaluators with their own anchors.
    ///   - logs: The certificate transparency logs for each ``CertificateTransparencyEvaluator`` without its own logs.
    ///   - certificatePolicies: The inputs of the system verification for certificate policies (RFC 5280, 6.1.1), also
    ///     for evaluators with their own anchors.
    public static func evaluators(
        _ table: [String: any ServerTrustEvaluator], anchors: TrustAnchors = .system,
        logs: TransparencyLogHolder? = nil, certificatePolicies: CertificatePolicyInputs = .anyPolicy
    ) -> TrustContext {
        let table = EvaluatorTable(table)
        let engine = TrustEngine(anchors: anchors, certificatePolicies: certificatePolicies).rememberingLinks()
        return TrustContext(name: EvaluatorTable.name, isCacheable: true, logs: logs) {
            table.judge($0, for: $1, at: $2, by: engine.with(logs))
        }
    }

    /// Returns a context for the chat SDK's mode: the listed keys replace the system verification. See
    /// ``PinnedKeysOnly``.
    public static func pinnedKeysOnly(_ pins: PinnedKeysOnly) -> TrustContext {
        let links = KnownLinks()
        return TrustContext(name: PinnedKeysVerification.name, isReady: { _ in true }) { chain, subject, time, budget in
            PinnedKeysVerification(pins: pins, budget: budget, links: links).evaluate(chain, for: subject, at: time)
        }
    }

    /// Returns a context without verification: every certificate is accepted, including an attacker's.
    public static func dangerouslyAcceptAnyCertificate() -> TrustContext {
        let evaluator = DangerouslyAcceptAnyCertificate()
        return TrustContext(name: anyCertificateName) {
            .now(evaluator.verdict(on: $0, for: $1, at: $2, by: TrustEngine(anchors: .only([]))))
        }
    }

    static let anyCertificateName = "DANGEROUS: any certificate"

    /// Returns the same context with a revocation check of the path that it accepted.
    ///
    /// Nothing is checked if the context refuses the server. Verdicts are not cached; the evaluator caches the
    /// responses of OCSP responders.
    public func checkingRevocation(with evaluator: OCSPRevocationEvaluator) -> TrustContext {
        checking { await evaluator.checked($0) }
    }

    /// Returns the same context with a revocation check of the path that it accepted, by OCSP and by revocation lists.
    ///
    /// Nothing is checked if the context refuses the server. Verdicts are not cached; the evaluator caches answers and
    /// lists.
    public func checkingRevocation(with evaluator: RevocationEvaluator) -> TrustContext {
        checking { await evaluator.checked($0) }
    }

    private func checking(_ check: @escaping @Sendable (TrustVerdict) async -> TrustVerdict) -> TrustContext {
        // A connection has one verdict, so the sink receives only the last one.
        let inner = reporting(to: nil)
        return TrustContext(name: name, snapshot: readSnapshot, changes: policyChanges, logs: logs) {
            chain, subject, time in
            let judgement = inner.judge(chain, for: subject, at: time)
            if case .now(let verdict) = judgement, !verdict.permitsConnection { return judgement }
            return .later {
                let verdict = await judgement.verdict()
                return verdict.permitsConnection ? await check(verdict) : verdict
            }
        }.reporting(to: sink)
    }

    /// Returns the verdict on these certificates if the same certificates were accepted for the same host within the
    /// last minute. Transports call this on their event loop before an evaluation. For benchmarks.
    @_spi(Benchmarks) public func rememberedVerdict(
        on der: [[UInt8]], for subject: TrustSubject, at time: Timestamp
    ) -> TrustVerdict? {
        cachedVerdict(on: der, for: subject, at: time)
    }
}

extension TrustEngine {
    /// Returns the engine with the logs in force of a holder.
    package func with(_ holder: TransparencyLogHolder?) -> TrustEngine {
        guard let holder else { return self }
        var engine = self
        engine.transparencyLogs = holder.logs
        return engine
    }
}

/// Receives the trust decisions of a transport.
///
/// The transport calls `record` while it establishes a connection, from any thread. The method must return immediately,
/// must never block and must limit what it stores.
public protocol TrustEventSink: Sendable {
    /// Receives a verdict. The transport passes every verdict, including those that accept the server. The sink decides
    /// which verdicts to report; see ``ReportLedger``.
    func record(_ verdict: TrustVerdict)
}
