/// Looks for a path from the server's certificate to a trust anchor.
///
/// A depth-first search with backtracking in the manner of RFC 4158: anchors before presented certificates, a matching
/// key identifier before others, no certificate and no (name, key) twice on a path. Cheap checks come before signature
/// checks, each signature is checked once, and every step counts against a budget, so that the work is bounded whatever
/// is presented.
struct PathSearch {
    /// What a candidate is told about a complete path: `nil` takes it, a finding lets the search go on.
    typealias Acceptance = (VerifiedPath) -> TrustFinding?

    /// How a search ended.
    enum Outcome {
        case found(VerifiedPath)
        case exhausted
        case overBudget(TrustFinding)
    }

    /// With which strictness candidates are taken.
    enum Strictness {
        /// All checks.
        case strict
        /// Names and signatures alone: finds the path whose shortcomings are worth telling.
        case linksOnly
    }

    private struct Link: Hashable {
        var child: Int
        var issuer: Int
    }

    private let anchors: [AnchorIndex]
    private let options: VerificationOptions
    private let time: Timestamp
    private let acceptsAnchoredLeaf: Bool

    /// The server's certificate, the other presented ones, and anchors as they are met.
    private var nodes: [CertificateView]
    private let presentedCount: Int
    private var anchorNodes: [CertificateView: Int] = [:]
    private var presentedBySubject: [ArraySlice<UInt8>: [Int]] = [:]

    private var signatures: [Link: Bool] = [:]
    private var issuerProblems: [Int: TrustFinding?] = [:]
    private var spent = VerificationCost()

    /// A weak or wrong signature met on a link whose names fit; the best explanation where no path is found at all.
    private(set) var brokenLink: TrustFinding?
    /// Why complete paths were not taken, in the order in which they were found.
    private(set) var rejections: [TrustFinding] = []

    init(
        chain: PresentedChain, leaf: CertificateView, anchors: [AnchorIndex], options: VerificationOptions,
        time: Timestamp, acceptsAnchoredLeaf: Bool = true
    ) {
        self.anchors = anchors
        self.options = options
        self.time = time
        self.acceptsAnchoredLeaf = acceptsAnchoredLeaf
        var seen: Set<CertificateView> = [leaf]
        nodes = [leaf] + chain.certificates.dropFirst().filter { seen.insert($0).inserted }
        presentedCount = nodes.count
        for index in nodes.indices.dropFirst() {
            presentedBySubject[nodes[index].parsed.der[nodes[index].parsed.subject], default: []].append(index)
        }
    }

    /// Searches. A later call goes on with the budget that is left and the signatures that are known.
    mutating func search(_ strictness: Strictness, accept: Acceptance) -> Outcome {
        do throws(TrustFinding) {
            if acceptsAnchoredLeaf, anchors.contains(where: { $0.contains(nodes[0]) }) {
                if let path = try complete([0], strictness, accept) { return .found(path) }
            }
            if let path = try extend([0], strictness, accept) { return .found(path) }
            return .exhausted
        } catch {
            return .overBudget(error)
        }
    }

    // MARK: - Search

    private mutating func extend(
        _ path: [Int], _ strictness: Strictness, _ accept: Acceptance
    ) throws(TrustFinding) -> VerifiedPath? {
        let child = path[path.count - 1]
        for issuer in anchorCandidates(of: child) {
            guard try isUsable(issuer, above: path, isAnchor: true, strictness) else { continue }
            if let found = try complete(path + [issuer], strictness, accept) { return found }
        }
        // One place is kept for the anchor.
        guard path.count < options.budget.pathLength - 1 else { return nil }
        for issuer in presentedCandidates(of: child) {
            guard try isUsable(issuer, above: path, isAnchor: false, strictness) else { continue }
            if let found = try extend(path + [issuer], strictness, accept) { return found }
        }
        return nil
    }

    private mutating func complete(
        _ path: [Int], _ strictness: Strictness, _ accept: Acceptance
    ) throws(TrustFinding) -> VerifiedPath? {
        let certificates = path.map { nodes[$0] }
        if strictness == .strict {
            let violation = try NameConstraintCheck.violation(
                in: certificates, cost: &spent, budget: options.budget)
            if let violation {
                rejections.append(violation)
                return nil
            }
            let revoked = try RevocationCheck.problem(
                on: certificates, options.revocationLists, at: time, checksDates: options.checksDates, cost: &spent,
                budget: options.budget)
            if let revoked {
                rejections.append(revoked)
                return nil
            }
        }
        let verified = VerifiedPath(verified: certificates)
        guard let rejection = accept(verified) else { return verified }
        rejections.append(rejection)
        return nil
    }

    private mutating func anchorCandidates(of child: Int) -> [Int] {
        let parsed = nodes[child].parsed
        let wanted = parsed.der[parsed.issuer]
        var found: [Int] = []
        for index in anchors {
            for anchor in index.named(wanted) where anchor != nodes[child] {
                if let known = anchorNodes[anchor] {
                    if !found.contains(known) { found.append(known) }
                } else {
                    nodes.append(anchor)
                    anchorNodes[anchor] = nodes.count - 1
                    found.append(nodes.count - 1)
                }
            }
        }
        return ordered(found, for: child)
    }

    private func presentedCandidates(of child: Int) -> [Int] {
        let parsed = nodes[child].parsed
        return ordered(presentedBySubject[parsed.der[parsed.issuer]] ?? [], for: child)
    }

    /// Candidates whose key identifier is the wanted one come first, then those without one, then the others.
    private func ordered(_ candidates: [Int], for child: Int) -> [Int] {
        guard candidates.count > 1, let wanted = nodes[child].parsed.authorityKeyIdentifier else { return candidates }
        let identifier = nodes[child].parsed.der[wanted]
        func rank(_ index: Int) -> Int {
            guard let range = nodes[index].parsed.subjectKeyIdentifier else { return 1 }
            return nodes[index].parsed.der[range] == identifier ? 0 : 2
        }
        return candidates.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    // MARK: - Links

    private mutating func isUsable(
        _ issuer: Int, above path: [Int], isAnchor: Bool, _ strictness: Strictness
    ) throws(TrustFinding) -> Bool {
        spent.candidates += 1
        guard spent.candidates <= options.budget.candidates else {
            throw .overBudget("candidate issuers", options.budget.candidates)
        }
        // RFC 4158, 5.2: the same name with the same key twice on a path is a loop.
        let candidate = nodes[issuer]
        for index in path.dropFirst() where nodes[index].parsed.spkiDigest == candidate.parsed.spkiDigest {
            if nodes[index].parsed.der[nodes[index].parsed.subject] == candidate.parsed.der[candidate.parsed.subject] {
                return false
            }
        }
        if strictness == .strict {
            guard issuerProblem(issuer) == nil, lengthProblem(issuer, above: path) == nil else { return false }
        }
        return try isSigned(path[path.count - 1], by: issuer)
    }

    private mutating func issuerProblem(_ issuer: Int) -> TrustFinding? {
        if let known = issuerProblems[issuer] { return known }
        let problem = CertificateCheck.issuerProblems(of: nodes[issuer], at: time, options).first
        issuerProblems[issuer] = .some(problem)
        return problem
    }

    private func lengthProblem(_ issuer: Int, above path: [Int]) -> TrustFinding? {
        CertificateCheck.lengthProblem(
            of: nodes[issuer], intermediatesBelow: path.dropFirst().count { !nodes[$0].isSelfIssued }, options)
    }

    private mutating func isSigned(_ child: Int, by issuer: Int) throws(TrustFinding) -> Bool {
        let link = Link(child: child, issuer: issuer)
        if let known = signatures[link] { return known }
        let lower = nodes[child]
        if let weakness = lower.parsed.signatureAlgorithm.weakness {
            note(.weakSignature, "\(lower.subject) cannot be relied on: \(weakness).", lower)
            signatures[link] = false
            return false
        }
        if let weakness = nodes[issuer].parsed.keyAlgorithm.weakness {
            note(.weakKey, "\(nodes[issuer].subject) cannot be relied on: \(weakness).", nodes[issuer])
            signatures[link] = false
            return false
        }
        spent.signatureChecks += 1
        guard spent.signatureChecks <= options.budget.signatureChecks else {
            throw .overBudget("signature checks", options.budget.signatureChecks)
        }
        let isValid = SignatureCheck.isValid(lower.parsed, signedBy: nodes[issuer].parsed)
        if !isValid {
            note(.badSignature, "The signature on \(lower.subject) was not made by \(nodes[issuer].subject).", lower)
        }
        signatures[link] = isValid
        return isValid
    }

    private mutating func note(_ code: TrustFinding.Code, _ reason: String, _ certificate: CertificateView) {
        guard brokenLink == nil else { return }
        var facts = TrustFacts()
        facts.subject = certificate.subject
        facts.issuer = certificate.issuer
        brokenLink = TrustFinding(code, reason, facts: facts)
    }
}
