public import Foundation
public import HoldfastTrust

/// What an evaluation of a pinned host came to, as the validation callback gets it.
public struct TSKPinningValidatorResult: Hashable, Sendable {
    /// The host that was asked for, in canonical form.
    public let serverHostname: String
    /// What was found.
    public let evaluationResult: TSKTrustEvaluationResult
    /// What was decided.
    public let finalTrustDecision: TSKTrustDecision
    /// How long it took, in seconds.
    public let validationDuration: TimeInterval
    /// The verified path as PEM, the server's certificate first; what the server presented where there is no path.
    public let certificateChain: [String]
    /// Holdfast's own verdict, with everything else that was seen.
    public let verdict: TrustVerdict

    /// `nil` where no pin applied: TrustKit then has no result.
    init?(_ verdict: TrustVerdict) {
        guard verdict.pinning != nil, let result = TrustKitResult(verdict) else { return nil }
        let duration = verdict.duration.components
        serverHostname = verdict.subject?.host.text ?? ""
        evaluationResult = TSKTrustEvaluationResult(result)
        finalTrustDecision = TSKTrustDecision(verdict.decision)
        validationDuration = Double(duration.seconds) + Double(duration.attoseconds) / 1e18
        certificateChain = (verdict.path?.certificates ?? verdict.presented?.certificates ?? []).map(\.pem)
        self.verdict = verdict
    }
}
