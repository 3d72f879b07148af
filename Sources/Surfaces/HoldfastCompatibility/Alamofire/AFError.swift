/// Alamofire's error, as far as it is about servers' trust.
public enum AFError: Error, Sendable, CustomStringConvertible {
    /// A server was refused.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)

    public var description: String {
        switch self {
        case .serverTrustEvaluationFailed(let reason): reason.description
        }
    }
}
