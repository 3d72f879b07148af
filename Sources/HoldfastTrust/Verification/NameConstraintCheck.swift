/// Applies the name constraints of every authority of a path to the certificates below it (RFC 5280, 6.1.3 (b), (c)).
///
/// A search may lead over the same authorities thousands of times: names and subtrees are made ready once, and each
/// certificate is compared with each authority once. Certificates are known by their number in the search.
struct NameConstraintCheck {
    private struct Pair: Hashable {
        var authority: Int
        var certificate: Int
    }

    private struct Subtrees {
        var permitted: SubtreeIndex
        var excluded: SubtreeIndex
    }

    private var names: [Int: [ConstrainedName]] = [:]
    private var subtrees: [Int: Subtrees] = [:]
    /// The name that an authority may not issue for, as far as it is known whether there is one.
    private var offenders: [Pair: String?] = [:]

    /// The first violation on the path, leaf first; `nil` if there is none. Throws where the budget is spent.
    mutating func violation(
        on path: [Int], of nodes: [CertificateView], cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> TrustFinding? {
        for position in path.indices.dropFirst() {
            guard let constraints = nodes[path[position]].parsed.nameConstraints else { continue }
            for index in 0..<position {
                // Self-issued certificates other than the last are exempt.
                if index > 0, nodes[path[index]].isSelfIssued { continue }
                let pair = Pair(authority: path[position], certificate: path[index])
                let name = try offender(pair, constraints, of: nodes, cost: &cost, budget: budget)
                if let name { return finding(name, pair, index: index, nodes) }
            }
        }
        return nil
    }

    private func finding(_ name: String, _ pair: Pair, index: Int, _ nodes: [CertificateView]) -> TrustFinding {
        let (authority, certificate) = (nodes[pair.authority], nodes[pair.certificate])
        var facts = TrustFacts()
        facts.subject = certificate.subject
        facts.issuer = authority.subject
        facts.index = index
        return TrustFinding(
            .nameConstraintViolation,
            "\(authority.subject) may not issue for \(name), which \(certificate.subject) claims.", facts: facts)
    }

    private mutating func offender(
        _ pair: Pair, _ constraints: NameConstraints, of nodes: [CertificateView], cost: inout VerificationCost,
        budget: VerificationBudget
    ) throws(TrustFinding) -> String? {
        if let known = offenders[pair] { return known }
        let certificate = nodes[pair.certificate].parsed
        let names = self.names[pair.certificate] ?? ConstrainedName.all(of: certificate)
        self.names[pair.certificate] = names
        let der = nodes[pair.authority].der
        let subtrees =
            self.subtrees[pair.authority]
            ?? Subtrees(
                permitted: SubtreeIndex(constraints.permitted, in: der),
                excluded: SubtreeIndex(constraints.excluded, in: der))
        self.subtrees[pair.authority] = subtrees
        var offender: String?
        for name in names {
            // At most 8,192 subtrees and 256 KiB on either side: the product is far from an overflow.
            cost.nameConstraintComparisons += constraints.weight * name.weight
            guard cost.nameConstraintComparisons <= budget.nameConstraintComparisons else {
                throw .overBudget("name constraint comparisons", budget.nameConstraintComparisons)
            }
            if subtrees.excluded.excludes(name) || !subtrees.permitted.permits(name) {
                offender = name.text(in: certificate.der)
                break
            }
        }
        offenders[pair] = .some(offender)
        return offender
    }
}
