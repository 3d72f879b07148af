/// Applies the constraints of lists of anchors to complete paths.
///
/// An anchor may be in several lists. All their constraints apply, so that a list with constraints also limits the
/// machine's roots.
struct AnchorCheck {
    /// A reason why a path is refused. The finding is created only for the reported one.
    enum Violation {
        case purpose
        case distrustAfter(Timestamp)
        case name(NameConstraintCheck.Violation)
    }

    /// The constraints of each anchor of the search that has any.
    private var constraints: [Int: [TrustAnchorConstraints]] = [:]

    /// Stores the constraints of an anchor.
    mutating func note(_ anchor: Int, _ constraints: [TrustAnchorConstraints]) {
        if !constraints.isEmpty { self.constraints[anchor] = constraints }
    }

    /// Returns the first violation of the constraints of the path's anchor, or `nil` if there is none. Throws if the
    /// budget is exhausted.
    func violation(
        on path: [Int], of nodes: [CertificateView], _ names: inout NameConstraintCheck,
        cost: inout VerificationCost, budget: VerificationBudget
    ) throws(TrustFinding) -> Violation? {
        guard !constraints.isEmpty, let leaf = path.first, let anchor = path.last, let lists = constraints[anchor]
        else { return nil }
        for list in lists {
            if !list.allowsServerAuthentication { return .purpose }
            // A certificate without a readable date is refused by other checks. Fail closed nevertheless.
            if let last = list.serverDistrustAfter, nodes[leaf].notBefore.map({ $0 > last }) ?? true {
                return .distrustAfter(last)
            }
        }
        for (index, list) in lists.enumerated() {
            guard let local = list.names else { continue }
            let violation = try names.localViolation(
                on: path, of: nodes, local, list: index, cost: &cost, budget: budget)
            if let violation { return .name(violation) }
        }
        return nil
    }

    /// Returns the finding for a violation of a path.
    static func finding(_ violation: Violation, on path: [Int], of nodes: [CertificateView]) -> TrustFinding {
        guard let leaf = path.first.map({ nodes[$0] }), let anchor = path.last.map({ nodes[$0] }) else {
            return TrustFinding(.distrustedAnchor, "The path has no certificates.")
        }
        var finding: TrustFinding
        switch violation {
        case .purpose:
            finding = TrustFinding(
                .distrustedAnchor, "The list of trust anchors does not trust \(anchor.subject) for TLS servers.")
        case .distrustAfter(let last):
            let start = leaf.notBefore.map(\.description) ?? "an unknown time"
            finding = TrustFinding(
                .distrustedAnchor,
                "The list of trust anchors trusts \(anchor.subject) only for certificates until \(last); "
                    + "\(leaf.subject) is valid from \(start).")
            finding.facts.notBefore = leaf.notBefore
            finding.facts.notAfter = leaf.notAfter
        case .name(let name): return NameConstraintCheck.finding(name, of: nodes)
        }
        finding.facts.subject = leaf.subject
        finding.facts.issuer = anchor.subject
        finding.facts.index = path.count - 1
        return finding
    }
}
