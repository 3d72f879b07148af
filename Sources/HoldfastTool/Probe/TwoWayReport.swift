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

        /// Whether that is so. A connection that failed for another reason is no refusal.
        var isPassed: Bool { outcome.permits == (expectation == .allow) }
    }

    /// The connections, in their order.
    var steps: [Step]

    /// Whether all came out as they should.
    var isPassed: Bool { steps.allSatisfy(\.isPassed) }
}
