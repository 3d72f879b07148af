/// What a verification has spent of its budget.
struct VerificationCost: Hashable, Sendable {
    var signatureChecks = 0
    var candidates = 0
    var nameConstraintComparisons = 0
}

extension TrustFinding {
    /// A limit of the budget was reached.
    static func overBudget(_ what: String, _ limit: Int) -> TrustFinding {
        var facts = TrustFacts()
        facts.limit = limit
        return TrustFinding(
            .budgetExceeded, "The chain needs more than \(limit) \(what); the search was given up.", facts: facts)
    }
}
