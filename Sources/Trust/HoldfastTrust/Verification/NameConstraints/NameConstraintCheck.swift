/// Applies the name constraints of every authority of a path to the certificates below it (RFC 5280, 6.1.3 (b), (c)).
///
/// A search may lead over the same authorities thousands of times: names and subtrees are made ready once, and each
/// certificate is compared with each authority once. Certificates are known by their number in the search.
struct NameConstraintCheck {
    fileprivate struct Pair: Hashable {
        var authority: Int
        var certificate: Int
    }

    /// A name that an authority of a path may not issue for.
    struct Violation {
        fileprivate var pair: Pair
        fileprivate var name: String
        fileprivate var index: Int
    }

    private struct Subtrees {
        var permitted: SubtreeIndex
        var excluded: SubtreeIndex
    }

    private var names: [Int: [ConstrainedName]] = [:]
    private var subtrees: [Int: Subtrees] = [:]
    /// The name that an authority may not issue for, as far as it is known whether there is one.
    private var offenders: [Pair: String?] = [:]
    /// The path that was looked at last, and how many places from its start were in order. The search goes through paths
    /// depth first, so that the next one mostly differs from it near the end.
    private var last: [Int] = []
    private var inOrder = 0

    /// The first violation on the path, leaf first; `nil` if there is none. Throws where the budget is spent.
    mutating func violation(
        on path: [Int], of nodes: [CertificateView], cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> Violation? {
        var known = 0
        while known < min(inOrder, path.count), path[known] == last[known] { known += 1 }
        (last, inOrder) = (path, known)
        for position in max(known, 1)..<path.count {
            inOrder = position
            guard let constraints = nodes[path[position]].parsed.extensions.nameConstraints else { continue }
            for index in 0..<position {
                // Self-issued certificates other than the last are exempt.
                if index > 0, nodes[path[index]].isSelfIssued { continue }
                let pair = Pair(authority: path[position], certificate: path[index])
                let name = try offender(pair, constraints, of: nodes, cost: &cost, budget: budget)
                if let name { return Violation(pair: pair, name: name, index: index) }
            }
        }
        inOrder = path.count
        return nil
    }

    /// What is told of a violation. A search meets thousands and tells of one.
    static func finding(_ violation: Violation, of nodes: [CertificateView]) -> TrustFinding {
        let (authority, certificate) = (nodes[violation.pair.authority], nodes[violation.pair.certificate])
        var facts = TrustFacts()
        facts.subject = certificate.subject
        facts.issuer = authority.subject
        facts.index = violation.index
        return TrustFinding(
            .nameConstraintViolation,
            "\(authority.subject) may not issue for \(violation.name), which \(certificate.subject) claims.",
            facts: facts)
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
