import HoldfastTrust

/// How a step came out.
struct DemoObservation: Hashable, Sendable {
    /// What happened to the server or the work; of a step, what must happen.
    enum Outcome: Hashable, Sendable {
        /// The work was done over a connection, without an error.
        case worked
        /// The server was accepted, with this finding.
        case accepted(TrustFinding.Code)
        /// The server was refused, with this finding.
        case refused(TrustFinding.Code)
        /// Something else went wrong.
        case failed
    }

    /// What happened.
    var outcome: Outcome
    /// One sentence with the facts.
    var detail: String
    /// Further lines: hashes, commands.
    var lines: [String] = []

    /// The work was done.
    static func worked(_ detail: String, lines: [String] = []) -> DemoObservation {
        DemoObservation(outcome: .worked, detail: detail, lines: lines)
    }

    /// Something went wrong that is no verdict.
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
