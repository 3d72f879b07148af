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
