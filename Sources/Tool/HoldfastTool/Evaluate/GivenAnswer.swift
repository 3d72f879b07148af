import HoldfastTrust

/// Answers OCSP requests from a case, without a network.
struct GivenAnswer: OCSPRequester {
    /// There is no answer in the case.
    struct Missing: Error {}

    /// The answer; `nil` if the case has none.
    let answer: [UInt8]?

    func response(to request: [UInt8], at url: String) async throws -> [UInt8] {
        guard let answer else { throw Missing() }
        return answer
    }

    /// Checks the server's certificate with the answer of a case. Returns the verdict if it refuses the server.
    static func refusal(
        of chain: PresentedChain, for host: CanonicalHost, _ inputs: EvaluationInputs, _ engine: TrustEngine,
        at time: Timestamp
    ) async throws -> TrustVerdict? {
        let evaluator = OCSPRevocationEvaluator(
            requester: GivenAnswer(answer: inputs.ocspAnswer),
            options: OCSPOptions(failure: inputs.requiresOCSPAnswer ? .hard : .soft, scope: .serverCertificate),
            anchors: engine.anchors, clock: .fixed(time))
        do {
            try await evaluator.evaluate(ServerTrust(chain), forHost: host.text)
            return nil
        } catch let refusal as TrustRefusal {
            return refusal.verdict
        }
    }
}
