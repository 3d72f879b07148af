import HoldfastTrust

/// How a step must come out.
enum DemoExpectation: Hashable, Sendable {
    /// Something is done over a connection, without an error.
    case works
    /// The server is accepted, with this finding.
    case accepted(TrustFinding.Code)
    /// The server is refused, with this finding.
    case refused(TrustFinding.Code)
}

extension DemoExpectation: CustomStringConvertible {
    var description: String {
        switch self {
        case .works: "works"
        case .accepted(let code): "accepted: \(code)"
        case .refused(let code): "refused: \(code)"
        }
    }
}
