/// Applies the name constraints of every authority of a path to the certificates below it (RFC 5280, 6.1.3 (b), (c)).
enum NameConstraintCheck {
    /// The first violation on the path, leaf first; `nil` if there is none. Throws where the budget is spent.
    static func violation(
        in path: [CertificateView], cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> TrustFinding? {
        for (position, authority) in path.enumerated().dropFirst() {
            guard let constraints = authority.parsed.nameConstraints else { continue }
            for (index, certificate) in path.prefix(position).enumerated() {
                // Self-issued certificates other than the last are exempt.
                if index > 0, certificate.isSelfIssued { continue }
                if let name = try offender(in: certificate, constraints, cost: &cost, budget: budget) {
                    var facts = TrustFacts()
                    facts.subject = certificate.subject
                    facts.issuer = authority.subject
                    facts.index = index
                    return TrustFinding(
                        .nameConstraintViolation,
                        "\(authority.subject) may not issue for \(name), which \(certificate.subject) claims.",
                        facts: facts)
                }
            }
        }
        return nil
    }

    private static func offender(
        in certificate: CertificateView, _ constraints: NameConstraints, cost: inout VerificationCost,
        budget: VerificationBudget
    ) throws(TrustFinding) -> String? {
        for name in ConstrainedName.all(of: certificate.parsed) {
            // At most 8,192 subtrees and 256 KiB on either side: the product is far from an overflow.
            cost.nameConstraintComparisons += constraints.weight * name.weight
            guard cost.nameConstraintComparisons <= budget.nameConstraintComparisons else {
                throw .overBudget("name constraint comparisons", budget.nameConstraintComparisons)
            }
            for constraint in constraints.excluded where name.relation(to: constraint).countsAsExcluded {
                return name.description
            }
            var isPermitted: Bool?
            for constraint in constraints.permitted {
                switch name.relation(to: constraint) {
                case .otherForm: continue
                case .inside: isPermitted = true
                case .outside, .undecided: isPermitted = isPermitted ?? false
                }
                if isPermitted == true { break }
            }
            if isPermitted == false { return name.description }
        }
        return nil
    }
}
