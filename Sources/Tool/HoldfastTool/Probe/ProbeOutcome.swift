import HoldfastTransport
import HoldfastTrust

/// What became of the connection of a client that trusts as it was told to.
enum ProbeOutcome: Hashable, Sendable {
    /// It stands.
    case allowed
    /// The server was refused, by this finding.
    case refused(ProbeVerdict.Finding)
    /// There is no verdict: the server was not reached, its handshake did not get as far as a certificate, or there was nothing
    /// to judge it by.
    case failed(ProbeFailure)

    /// Findings that are no word on a server: a deadline that passed in the judgement, and a machine without one root, which
    /// refuses every server.
    private static let ownFindings: Set<TrustFinding.Code> = [.evaluationTimedOut, .noTrustAnchors]

    init(_ result: Result<ConnectionFacts, TransportError>) {
        switch result {
        case .success: self = .allowed
        case .failure(let error):
            // A proxy that was refused is no refused server: nobody has asked that one.
            if error.phase != .proxy, let finding = error.verdict?.decidingFinding,
                !Self.ownFindings.contains(finding.code)
            {
                self = .refused(ProbeVerdict.Finding(finding))
            } else {
                self = .failed(ProbeFailure(error))
            }
        }
    }

    /// Whether the connection is allowed; `nil` if there is no verdict.
    var permits: Bool? {
        switch self {
        case .allowed: true
        case .refused: false
        case .failed: nil
        }
    }
}
