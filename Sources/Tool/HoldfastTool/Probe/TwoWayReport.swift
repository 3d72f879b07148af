import HoldfastTrust

/// What the check of a folder of certificates with an impostor came to.
struct TwoWayReport: Hashable, Sendable {
    /// One connection.
    struct Step: Hashable, Sendable {
        /// Whom it was made to, in words.
        var name: String
        /// What it should come to.
        var expectation: ProbeExpectation
        /// What it came to.
        var outcome: ProbeOutcome

        /// Whether that is so. A refusal that counts is one by the keys: an impostor whose certificate has ended, or whose chain is
        /// too long, says nothing about them.
        var isPassed: Bool {
            switch (expectation, outcome) {
            case (.allow, .allowed): true
            case (.block, .refused(let finding)): finding.code == TrustFinding.Code.pinMismatch.rawValue
            default: false
            }
        }
    }

    /// The connections, in their order.
    var steps: [Step]

    /// Whether all came out as they should.
    var isPassed: Bool { steps.allSatisfy(\.isPassed) }
}
