/// Accepts every certificate, an attacker's too. The connection is then encrypted, and with whom nobody knows.
public struct DangerouslyAcceptAnyCertificate: VerdictEvaluator {
    /// Makes the evaluator.
    public init() {}

    /// Returns.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict {
        var verdict = TrustVerdict.blocked(
            TrustFinding(.anyCertificateAccepted, "Verification is switched off: any certificate is accepted."),
            chain, subject, time, name: TrustContext.anyCertificateName)
        verdict.decision = .allow
        return verdict
    }
}
