public import ChatCenterCore
import HoldfastTransport
public import HoldfastTrust

/// A failure of a REST call, a file transfer or the socket.
///
/// - Remedy: Follow `diagnosis`, if there is one. The SDK retries failures that can pass.
public struct ChatNetworkError: Error, CustomStringConvertible, Sendable {
    /// The call that failed, or the socket; `nil` for a single file transfer.
    public var problem: NetworkProblem?
    /// The kind of failure; `nil` if a server closed the socket or did not answer a step of the handshake.
    public var failure: TransportFailure?
    /// The complete error, such as a `TransportError`, a `WebSocketError` or a ``ChatServerError``.
    public var underlying: (any Error)?
    /// The reason why the server cannot be reached, and the remedy; `nil` if the server was reached.
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

    /// A textual description, for logs.
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
    /// The transport failure that this problem contains; `nil` for other socket failures.
    var transportFailure: TransportFailure? {
        switch self {
        case .call(_, let failure), .socket(.transport(let failure)): failure
        case .socket: nil
        }
    }
}

/// A response of the server with a status outside 200 to 299.
///
/// - Remedy: Read `refusal`. Repeat the call after `retryAfterMilliseconds`, if it is set.
public struct ChatServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status.
    public var status: Int
    /// The server's error message, if the response contains one in the protocol's format.
    public var refusal: ServerRefusal?
    /// The delay before a retry that the server requests, in milliseconds.
    public var retryAfterMilliseconds: Int64?

    /// Creates an error from a response's values.
    public init(status: Int, refusal: ServerRefusal? = nil, retryAfterMilliseconds: Int64? = nil) {
        self.status = status
        self.refusal = refusal
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// A textual description, for logs.
    public var description: String {
        "The server answered with status \(status)" + (refusal.map { ": \($0)" } ?? "") + "."
    }
}
