import HoldfastTransport
import HoldfastTrust

/// Draws a diagnosis from an error, with what is known beside it.
struct Diagnostician: Sendable {
    let trusted: [SPKIDigest]
    let accepted: AcceptedKeys

    /// What the error comes down to; `nil` where it says nothing about the way to the server: a refused call, a file.
    func diagnosis(of error: any Error) -> ChatConnectionDiagnosis? {
        switch error {
        case let error as ChatTransportConfigError:
            return ChatConnectionDiagnosis(.addressesUnusable, evidence: error.problems.map { .fact("\($0)") })
        case let error as TransportError:
            return diagnosis(of: error)
        default:
            return nil
        }
    }

    private func diagnosis(of error: TransportError) -> ChatConnectionDiagnosis? {
        if let verdict = error.verdict, !verdict.permitsConnection {
            return ChatConnectionDiagnosis(verdict, trusted: trusted, accepted: accepted.keys(for: verdict))
        }
        switch error.code {
        case .tlsHandshakeFailed: return ChatConnectionDiagnosis(.handshakeFailed, evidence: [.fact("\(error)")])
        case .noConnectivity, .unresolvedHost, .connectionRefused, .timedOut:
            return ChatConnectionDiagnosis(.unreachable, evidence: [.fact("\(error)")])
        default: return nil
        }
    }
}
