/// An evaluator of Holdfast's own: it answers with a whole verdict, at once, and runs the system verification itself.
package protocol VerdictEvaluator: ServerTrustEvaluator {
    /// Judges a chain. `anchors` are those of the context that asks; an evaluator with its own anchors ignores them.
    func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict
}

extension VerdictEvaluator {
    /// What a call without a context does: canonicalises the host, judges with the machine's roots, throws a refusal.
    func evaluate(_ trust: ServerTrust, host: String, anchors: TrustAnchors?, clock: TrustClock) throws(TrustRefusal) {
        let time = clock.now()
        let verdict: TrustVerdict
        do throws(HostError) {
            let subject = TrustSubject(host: try CanonicalHost(host))
            verdict = self.verdict(on: trust.presented, for: subject, at: time, anchors: anchors ?? .system)
        } catch {
            verdict = TrustVerdict(
                decision: .block, finding: TrustFinding(.invalidHost, error.reason), subject: nil,
                policyName: "evaluator", time: time)
        }
        guard verdict.permitsConnection else { throw TrustRefusal(verdict) }
    }
}
