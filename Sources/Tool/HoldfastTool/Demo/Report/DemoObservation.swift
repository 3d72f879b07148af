import HoldfastTrust

/// The outcome of a step, with details.
struct DemoObservation: Hashable, Sendable {
    /// What happened, or what is expected to happen.
    enum Outcome: Hashable, Sendable {
        /// The operation succeeded over a connection.
        case worked
        /// The server was accepted, with this finding.
        case accepted(TrustFinding.Code)
        /// The server was refused, with this finding.
        case refused(TrustFinding.Code)
        /// Any other failure.
        case failed
    }

    /// What happened.
    var outcome: Outcome
    /// One sentence with the facts.
    var detail: String
    /// Additional lines: hashes, commands.
    var lines: [String] = []

    /// Returns an observation of success.
    static func worked(_ detail: String, lines: [String] = []) -> DemoObservation {
        DemoObservation(outcome: .worked, detail: detail, lines: lines)
    }

    /// Returns an observation of a failure that is not a verdict.
    static func failed(_ detail: String) -> DemoObservation {
        DemoObservation(outcome: .failed, detail: detail)
    }
}

extension DemoObservation.Outcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .worked: "works"
        case .accepted(let code): "accepted: \(code)"
        case .refused(let code): "refused: \(code)"
        case .failed: "failed"
        }
    }
}
