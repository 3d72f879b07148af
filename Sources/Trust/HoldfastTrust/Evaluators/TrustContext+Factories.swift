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
