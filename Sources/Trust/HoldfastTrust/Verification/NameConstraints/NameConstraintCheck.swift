/// Applies the name constraints of every authority on a path to the certificates below it (RFC 5280, 6.1.3 (b), (c)),
/// and those that a list of anchors sets for an anchor.
///
/// A search may visit the same authorities thousands of times. Therefore names and subtrees are prepared once, and each
/// certificate is compared with each authority once. Certificates are identified by their number in the search.
struct NameConstraintCheck {
    /// The source of constraints.
    fileprivate struct Source: Hashable {
        var authority: Int
        /// The position among the lists of anchors that set constraints for the authority, or `nil` for the constraints
        /// in its certificate.
        var list: Int?
    }

    fileprivate struct Pair: Hashable {
        var source: Source
        var certificate: Int
    }

    /// A name that violates the constraints of an authority on the path.
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
    private var subtrees: [Source: Subtrees] = [:]
    /// For each pair that was compared, the name that the authority may not issue for, or `nil` if there is none.
    private var offenders: [Pair: String?] = [:]
    /// The path of the last call, and the number of its first positions without a violation. The search is depth-first,
    /// so the next path mostly differs near the end.
    private var last: [Int] = []
    private var inOrder = 0

    /// Returns the first violation on the path, leaf first, or `nil` if there is none. Throws if the budget is
    /// exhausted.
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
                // Self-issued certificates are exempt, except the last certificate of the chain, which is the server's.
                if index > 0, nodes[path[index]].isSelfIssued { continue }
                let pair = Pair(source: Source(authority: path[position]), certificate: path[index])
                let name = try offender(
                    pair, constraints, in: nodes[path[position]].der, of: nodes, cost: &cost, budget: budget)
                if let name { return Violation(pair: pair, name: name, index: index) }
            }
        }
        inOrder = path.count
        return nil
    }

    /// Returns the first name on the path that violates the constraints of a list for the path's anchor. An anchored
    /// server certificate is its own anchor.
    mutating func localViolation(
        on path: [Int], of nodes: [CertificateView], _ local: AnchorNameConstraints, list: Int,
        cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> Violation? {
        guard let anchor = path.last else { return nil }
        for index in path.indices.prefix(max(1, path.count - 1)) {
            if index > 0, nodes[path[index]].isSelfIssued { continue }
            let pair = Pair(source: Source(authority: anchor, list: list), certificate: path[index])
            let name = try offender(pair, local.subtrees, in: local.der, of: nodes, cost: &cost, budget: budget)
            if let name { return Violation(pair: pair, name: name, index: index) }
        }
        return nil
    }

    /// Returns the finding for a violation. A search may find thousands of violations but reports one.
    static func finding(_ violation: Violation, of nodes: [CertificateView]) -> TrustFinding {
        let source = violation.pair.source
        let (authority, certificate) = (nodes[source.authority], nodes[violation.pair.certificate])
        var facts = TrustFacts()
        facts.subject = certificate.subject
        facts.issuer = authority.subject
        facts.index = violation.index
        let who = source.list == nil ? "" : "By the list of trust anchors, "
        return TrustFinding(
            .nameConstraintViolation,
            "\(who)\(authority.subject) may not issue for \(violation.name), "
                + "which is a name of \(certificate.subject).", facts: facts)
    }

    private mutating func offender(
        _ pair: Pair, _ constraints: NameConstraints, in der: [UInt8], of nodes: [CertificateView],
        cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> String? {
        if let known = offenders[pair] { return known }
        let certificate = nodes[pair.certificate].parsed
        let names = self.names[pair.certificate] ?? ConstrainedName.all(of: certificate)
        self.names[pair.certificate] = names
        let subtrees =
            self.subtrees[pair.source]
            ?? Subtrees(
                permitted: SubtreeIndex(constraints.permitted, in: der),
                excluded: SubtreeIndex(constraints.excluded, in: der))
        self.subtrees[pair.source] = subtrees
        var offender: String?
        for name in names {
            // Each side has at most 8,192 subtrees and 256 KiB, so the product cannot overflow.
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
