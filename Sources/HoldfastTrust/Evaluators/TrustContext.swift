/// What judges the connections of one client: the anchors, the policy or the evaluators, and the mode.
///
/// Every transport of Holdfast takes one, and there is no way to open a TLS connection without one. Making a context
/// does no I/O; the machine's roots are read at the first judgement.
public struct TrustContext: Sendable {
    /// A name for logs and verdicts.
    public let name: String
    private let body: @Sendable (PresentedChain, TrustSubject, Timestamp) -> Judgement
    private let cache: VerdictCache?
    private let readRevision: (@Sendable () -> UInt64)?
    /// Says that the policy inside has changed; `nil` for a context whose policy does not change. The first element comes
    /// at once. For transports, which judge their open connections again.
    package let policyChanges: (@Sendable () -> AsyncStream<PolicySnapshot>)?

    /// `isCacheable` says that a judgement given at once depends on nothing but its arguments, the context and the
    /// machine's roots. `revision` changes when the policy inside does, and `changes` says so.
    package init(
        name: String, isCacheable: Bool = false, revision: (@Sendable () -> UInt64)? = nil,
        changes: (@Sendable () -> AsyncStream<PolicySnapshot>)? = nil,
        judge: @escaping @Sendable (PresentedChain, TrustSubject, Timestamp) -> Judgement
    ) {
        self.name = name
        self.body = judge
        self.cache = isCacheable ? VerdictCache() : nil
        self.readRevision = revision
        self.policyChanges = changes
    }

    /// Another number whenever the context judges by another policy than before; always 0 for a context whose policy does
    /// not change. A connection that was judged under another number is to be judged again.
    public var revision: UInt64 { readRevision?() ?? 0 }

    /// The same context with no memory: every chain is judged anew. For measurements, and for those who want it so.
    public func withoutVerdictCache() -> TrustContext {
        TrustContext(name: name, revision: readRevision, changes: policyChanges, judge: body)
    }

    /// Judges what a server presented. Pure but for the reading of the machine's roots; called from any thread, and
    /// expensive enough (signature checks) to be kept off event loops.
    public func judge(_ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp) -> Judgement {
        let generation = generation
        let judgement = body(chain, subject, time)
        // A judgement during which the roots or the policy changed may rest on either, and is not kept.
        if let cache, case .now(let verdict) = judgement, generation == self.generation {
            cache.store(verdict, on: chain.digest, for: subject, generation)
        }
        return judgement
    }

    /// The verdict on these certificates, if the same ones were accepted for the same host within the last minute. Cheap
    /// enough for an event loop: one hash over the bytes and one look-up.
    package func cachedVerdict(on der: [[UInt8]], for subject: TrustSubject, at time: Timestamp) -> TrustVerdict? {
        cache?.verdict(on: ChainDigest(der), for: subject, at: time, generation)
    }

    private var generation: VerdictCache.Generation {
        VerdictCache.Generation(roots: SystemRootStore.shared.generation, policy: revision)
    }
}
