import HoldfastTrust

extension ProbeReport {
    /// What was seen and judged where a client's own connection was refused.
    ///
    /// - Parameter prober: What would have judged a probe: the client's trust, roots and clock.
    init(_ verdict: TrustVerdict, on server: ProbeTarget, prober: Prober) {
        let now = prober.clock.now()
        let trust = prober.trust
        let pins = trust.pins(for: server.host, at: now)
        self.init(target: server, time: now, outcome: .refused(ProbeVerdict.Finding(verdict.decidingFinding)))
        certificates = ProbeCertificate.list(verdict.presented, path: verdict.path, pins: pins)
        sent = (verdict.presented?.count ?? 0, verdict.presented?.byteCount ?? 0)
        verdicts = [ProbeVerdict(verdict, judge: trust.name)]
        self.pins = pins.sorted
        policyExpires = trust.expires(for: server.host, at: now)
        advice = ProbeAdvice(verdict, target: server, trust: trust, route: prober.route(to: server), at: now)
    }

    /// What a person is told of a refusal: the verdict, and how the policy would let the server through.
    var refusalLines: [String] { verdictLines + (advice.map { adviceLines($0) } ?? []) }
}
