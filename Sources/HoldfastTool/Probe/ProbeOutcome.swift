import HoldfastTransport
import HoldfastTrust

/// What became of the connection of a client that trusts as it was told to.
enum ProbeOutcome: Hashable, Sendable {
    /// It stands.
    case allowed
    /// The server was refused, by this finding.
    case refused(ProbeVerdict.Finding)
    /// There is no verdict: the server was not reached, or its handshake did not get as far as a certificate.
    case failed(ProbeFailure)

    init(_ result: Result<ConnectionFacts, TransportError>) {
        switch result {
        case .success: self = .allowed
        case .failure(let error):
            // A deadline that passed in the judgement is no word on the server.
            if let finding = error.verdict?.finding, finding.code != .evaluationTimedOut {
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
