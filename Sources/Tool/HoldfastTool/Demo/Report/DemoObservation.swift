import HoldfastTrust

/// How a step came out.
struct DemoObservation: Hashable, Sendable {
    /// What happened to the server or the work.
    enum Outcome: Hashable, Sendable {
        /// The work was done.
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

    /// Whether this is what the expectation asks for.
    func meets(_ expectation: DemoExpectation) -> Bool {
        switch (expectation, outcome) {
        case (.works, .worked): true
        case (.accepted(let wanted), .accepted(let seen)): wanted == seen
        case (.refused(let wanted), .refused(let seen)): wanted == seen
        default: false
        }
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
