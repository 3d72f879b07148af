public import ChatCenterCore
import HoldfastTransport
public import HoldfastTrust

/// A call, a transfer or the socket failed.
public struct ChatNetworkError: Error, CustomStringConvertible, Sendable {
    /// What failed: which call, or the socket; `nil` for a single transfer.
    public var problem: NetworkProblem?
    /// What it comes down to; `nil` where a server closed the socket or did not answer a step of the handshake.
    public var failure: TransportFailure?
    /// The whole error: a `TransportError`, a `WebSocketError`, a ``ChatServerError`` …
    public var underlying: (any Error)?
    /// Why there is no way to the server, and what to do about it; `nil` where the server was reached.
    public var diagnosis: ChatConnectionDiagnosis?

    init(_ problem: NetworkProblem, errors: ErrorTable) {
        self.init(problem.transportFailure, errors: errors)
        self.problem = problem
    }

    init(_ failure: TransportFailure?, errors: ErrorTable) {
        self.failure = failure
        underlying = failure.flatMap { errors.error($0.errorID) }
        diagnosis = failure.flatMap { errors.diagnosis($0.errorID) }
    }

    /// The verdict on a server that was refused.
    public var verdict: TrustVerdict? { (underlying as? TransportError)?.verdict }

    public var description: String {
        let what: String =
            switch problem {
            case .call(let call, _): "\(call.rawValue): "
            case .socket(let cause): if failure == nil { "socket: \(cause)" } else { "socket: " }
            case nil: ""
            }
        if let underlying { return what + "\(underlying)" }
        guard let failure else { return what.isEmpty ? "unknown" : what }
        if let trust = failure.trust { return what + "\(trust.code): \(trust.reason)" }
        if let refusal = failure.refusal { return what + "\(refusal)" }
        return what + failure.kind.rawValue + (failure.status.map { " (status \($0))" } ?? "")
    }
}

extension NetworkProblem {
    /// The failure of the transport in it, if it is one.
    var transportFailure: TransportFailure? {
        switch self {
        case .call(_, let failure), .socket(.transport(let failure)): failure
        case .socket: nil
        }
    }
}
